-- models/ring/chang_roberts.py with FIFO links, in Murphi.
-- A rule is a step and a state a state of ours. The largest identifier stands at position 0: one world for each class
-- of rotations. rumur.py sets the two numbers.
const
  N: 4;       -- processes on the ring
  WORLDS: 6;  -- (N - 1)!

type
  Position: 0..N-1;
  Id: 1..N;
  IdOrNone: 0..N;
  Message: 0..2*N;  -- 0: none, j: Election(j), N + j: Leader(j)
  Length: 0..N+1;

var
  id: array [Position] of Id;
  awake: array [Position] of boolean;
  leader: array [Position] of IdOrNone;
  length: array [Position] of Length;  -- of the link into each process
  link: array [Position] of array [0..N] of Message;

procedure send(p: Position; m: Message);
var next: Position;
begin
  next := (p + 1) % N;
  link[next][length[next]] := m;
  length[next] := length[next] + 1;
end;

-- the places behind the last message hold 0, so that they make no states
procedure take(p: Position);
begin
  for k: 0..N-1 do
    link[p][k] := link[p][k + 1];
  end;
  link[p][N] := 0;
  length[p] := length[p] - 1;
end;

function finished(): boolean;
begin
  for p: Position do
    if !awake[p] | length[p] != 0 then return false; end;
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
      length[p] := 0;
      for k: 0..N do link[p][k] := 0; end;
    end;
  end;
end;

ruleset p: Position do
  rule "wake_up" !awake[p] ==>
  begin
    awake[p] := true;
    send(p, id[p]);
  end;

  rule "compare" length[p] > 0 & link[p][0] <= N ==>
  var j: Id;
  begin
    j := link[p][0];
    take(p);
    if j > id[p] then
      send(p, j);
    elsif j = id[p] then
      send(p, N + j);
    elsif !awake[p] then
      send(p, id[p]);
    end;
    awake[p] := true;
  end;

  rule "learn" length[p] > 0 & link[p][0] > N ==>
  var j: Id;
  begin
    j := link[p][0] - N;
    take(p);
    leader[p] := j;
    if j != id[p] then
      send(p, N + j);
    end;
  end;
end;

invariant "leader_is_the_maximum"
  forall p: Position do leader[p] = 0 | leader[p] = N end;

invariant "everyone_decides"
  finished() -> forall p: Position do leader[p] = N end;
