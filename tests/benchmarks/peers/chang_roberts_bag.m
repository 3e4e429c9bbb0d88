-- models/ring/chang_roberts.py with unordered links, in Murphi.
-- A rule is a step and a state a state of ours. The largest identifier stands at position 0: one world for each class
-- of rotations. rumur.py sets the two numbers.
-- No message is ever in the network twice, since identifiers are unique and each sends its own once (send asserts it);
-- so a bag is a set, one bit a message.
const
  N: 4;       -- processes on the ring
  WORLDS: 6;  -- (N - 1)!

type
  Position: 0..N-1;
  Id: 1..N;
  IdOrNone: 0..N;
  Message: 1..2*N;  -- j: Election(j), N + j: Leader(j)

var
  id: array [Position] of Id;
  awake: array [Position] of boolean;
  leader: array [Position] of IdOrNone;
  inbox: array [Position] of array [Message] of boolean;

procedure send(p: Position; m: Message);
var next: Position;
begin
  next := (p + 1) % N;
  assert !inbox[next][m] "a message is in the network twice";
  inbox[next][m] := true;
end;

function finished(): boolean;
begin
  for p: Position do
    if !awake[p] then return false; end;
    for m: Message do
      if inbox[p][m] then return false; end;
    end;
  end;
  return true;
end;

-- The digits of `world` in the factorial number system say which of the identifiers still free comes next.
ruleset world: 0..WORLDS-1 do
  startstate "identifiers"
    var rest: 0..WORLDS; free: 0..N; skip: 0..N; used: array [Id] of boolean;
  begin
    for j: Id do used[j] := j = N; end;
    id[0] := N;
    rest := world;
    free := N - 1;
    for p: 1..N-1 do
      skip := rest % free;
      rest := rest / free;
      free := free - 1;
      for j: Id do
        if !used[j] then
          if skip = 0 & isundefined(id[p]) then
            id[p] := j;
            used[j] := true;
          elsif skip > 0 then
            skip := skip - 1;
          end;
        end;
      end;
    end;
    for p: Position do
      awake[p] := false;
      leader[p] := 0;
      for m: Message do inbox[p][m] := false; end;
    end;
  end;
end;

ruleset p: Position do
  rule "wake_up" !awake[p] ==>
  begin
    awake[p] := true;
    send(p, id[p]);
  end;

  ruleset j: Id do
    rule "compare" inbox[p][j] ==>
    begin
      inbox[p][j] := false;
      if j > id[p] then
        send(p, j);
      elsif j = id[p] then
        send(p, N + j);
      elsif !awake[p] then
        send(p, id[p]);
      end;
      awake[p] := true;
    end;

    rule "learn" inbox[p][N + j] ==>
    begin
      inbox[p][N + j] := false;
      leader[p] := j;
      if j != id[p] then
        send(p, N + j);
      end;
    end;
  end;
end;

invariant "leader_is_the_maximum"
  forall p: Position do leader[p] = 0 | leader[p] = N end;

invariant "everyone_decides"
  finished() -> forall p: Position do leader[p] = N end;
