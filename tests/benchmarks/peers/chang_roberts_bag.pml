/* models/ring/chang_roberts.py with unordered links, in Promela. -DN: processes on the ring.
 *
 * A step is one d_step, so one stored state is one state of ours; one more is stored before init has chosen the
 * identifiers. The largest stands at position 0: one world for each class of rotations. A process that knows the
 * leader rests at end_known: Spin reports a run that ends with one that does not.
 *
 * No message is ever in the network twice, since identifiers are unique and each sends its own once (PUT asserts it);
 * so a bag is a set, one bit a message.
 */
int inbox[N];

#define ELECTION(ID)	(1 << ((ID) - 1))
#define LEADER(ID)	(1 << (N + (ID) - 1))
#define NEXT		((position + 1) % N)
#define PUT(M)		assert(!(inbox[NEXT] & M)); inbox[NEXT] = inbox[NEXT] | M
#define TAKE(M)		inbox[position] & M -> inbox[position] = inbox[position] & ~(M)

#define WAKE_UP							\
	d_step { !awake -> awake = 1; PUT(ELECTION(id)) }

#define COMPARE(OTHER)						\
	:: d_step { TAKE(ELECTION(OTHER));			\
		if						\
		:: OTHER > id -> PUT(ELECTION(OTHER))		\
		:: OTHER == id -> PUT(LEADER(id))		\
		:: OTHER < id && !awake -> PUT(ELECTION(id))	\
		:: else						\
		fi;						\
		awake = 1 }

#define LEARN_STEP(OTHER)					\
	d_step { TAKE(LEADER(OTHER));				\
		leader = OTHER; assert(leader == N);		\
		if						\
		:: OTHER != id -> PUT(LEADER(OTHER))		\
		:: else						\
		fi }

#define LEARN(OTHER)		:: LEARN_STEP(OTHER)
#define LEARN_FIRST(OTHER)	:: LEARN_STEP(OTHER) -> break

#if N == 2
#define EACH(X)	X(1) X(2)
#elif N == 3
#define EACH(X)	X(1) X(2) X(3)
#elif N == 4
#define EACH(X)	X(1) X(2) X(3) X(4)
#elif N == 5
#define EACH(X)	X(1) X(2) X(3) X(4) X(5)
#elif N == 6
#define EACH(X)	X(1) X(2) X(3) X(4) X(5) X(6)
#elif N == 7
#define EACH(X)	X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#elif N == 8
#define EACH(X)	X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#endif

proctype Process(byte id; byte position)
{
	bit awake = 0;
	byte leader = 0;

	do
	:: WAKE_UP
	EACH(COMPARE)
	EACH(LEARN_FIRST)
	od;
end_known:
	do
	:: WAKE_UP
	EACH(COMPARE)
	EACH(LEARN)
	od
}

#define PICK(ID) :: ID < N && !(used & (1 << ID)) -> id = ID

init
{
	byte position = 1, id;
	int used;

	atomic {
		run Process(N, 0);
		do
		:: position < N ->
			if
			EACH(PICK)
			fi;
			used = used | (1 << id);
			run Process(id, position);
			position++
		:: else -> break
		od;
		position = 0; id = 0; used = 0
	}
}
