"""Every fair run comes to an end."""

from modelcheck import terminates

termination = terminates()
