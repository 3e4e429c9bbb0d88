/* models/ring/chang_roberts.py with FIFO links, in Promela. -DN: processes on the ring.
 *
 * A step is one d_step, so one stored state is one state of ours; one more is stored before init has chosen the
 * identifiers. The largest stands at position 0: one world for each class of rotations. A process that knows the
 * leader rests at end_known: Spin reports a run that ends with one that does not.
 */
#define ELECTION 0
#define LEADER 1

chan link[N] = [N + 1] of { bit, byte };	/* link[k] leads into process k */

#define WAKE_UP						\
	d_step { !awake -> awake = 1; out!ELECTION,id }

#define COMPARE						\
	d_step { in?ELECTION,other ->			\
		if					\
		:: other > id -> out!ELECTION,other	\
		:: other == id -> out!LEADER,id		\
		:: other < id && !awake -> out!ELECTION,id \
		:: else					\
		fi;					\
		awake = 1; other = 0 }

#define LEARN						\
	d_step { in?LEADER,other ->			\
		leader = other; assert(leader == N);	\
		if					\
		:: other != id -> out!LEADER,other	\
		:: else					\
		fi;					\
		other = 0 }

proctype Process(byte id; chan in; chan out)
{
	bit awake = 0;
	byte leader = 0;
	byte other = 0;		/* 0 between steps, so that it makes no states */

	do
	:: WAKE_UP
	:: COMPARE
	:: LEARN -> break
	od;
end_known:
	do
	:: WAKE_UP
	:: COMPARE
	:: LEARN
	od
}

#define PICK(ID) :: ID < N && !(used & (1 << ID)) -> id = ID

init
{
	byte position = 1, id;
	int used;

	atomic {
		run Process(N, link[0], link[1 % N]);
		do
		:: position < N ->
			if
			PICK(1) PICK(2) PICK(3) PICK(4) PICK(5) PICK(6) PICK(7) PICK(8)
			fi;
			used = used | (1 << id);
			run Process(id, link[position], link[(position + 1) % N]);
			position++
		:: else -> break
		od;
		position = 0; id = 0; used = 0
	}
}
