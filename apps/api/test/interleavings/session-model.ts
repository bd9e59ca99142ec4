// A simple second implementation of a session to compare with the service: no clock, no storage, no concurrency. Held
// seats never expire, and all players have one version and no crossplay preferences.
import type { Session } from '@muster/contract';

export type Command =
  | { kind: 'join'; player: string; team: number }
  | { kind: 'invite'; player: string; team: number }
  | { kind: 'kick'; player: string }
  | { kind: 'move'; player: string; team: number }
  | { kind: 'promote'; player: string }
  | { kind: 'open'; joinable: boolean }
  | { kind: 'instance'; to: JoinStatus };

export type JoinStatus = 'joinable' | 'unjoinable' | 'pending' | 'closed';

type ModelSeat = { team: number; status: string; joined: string };

export type Model = {
  sizes: ReadonlyMap<number, number>;
  seats: ReadonlyMap<string, ModelSeat>;
  joinable: boolean;
  instance: JoinStatus;
};

/** The next state, or the code of the refusal. */
export type Outcome = { model: Model } | { refused: string };

export const toModel = (session: Session): Model => ({
  sizes: new Map(session.teams.map((team) => [team.team_id ?? 0, team.max_size])),
  seats: new Map(
    session.teams.flatMap(({ team_id: team = 0, players }) =>
      players.map(({ player_uuid, status, joined = '' }) => [
        player_uuid,
        { team, status, joined },
      ]),
    ),
  ),
  joinable: session.joinable,
  instance: (session.instance?.join_status ?? 'joinable') as JoinStatus,
});

/** Equal for models that players and admins cannot distinguish, except by the times of arrival. */
export const describeModel = ({ seats, joinable, instance }: Model): string => {
  const taken = [...seats].map(([player, { team, status }]) => `${player} ${team} ${status}`);
  return [`${instance}, ${joinable ? 'open' : 'closed'}`, ...taken.sort()].join('\n');
};

export const apply = (model: Model, command: Command): Outcome => {
  switch (command.kind) {
    case 'join':
      return join(model, command);
    case 'invite':
      return invite(model, command);
    case 'kick':
      return kick(model, command.player);
    case 'move':
      return move(model, command);
    case 'promote':
      return promote(model, command.player);
    case 'open':
      return { model: { ...model, joinable: command.joinable } };
    case 'instance':
      return TRANSITIONS[model.instance].includes(command.to) || model.instance === command.to
        ? { model: { ...model, instance: command.to } }
        : { refused: 'instance_transition' };
  }
};

const TRANSITIONS: Record<JoinStatus, readonly JoinStatus[]> = {
  pending: ['joinable', 'unjoinable', 'closed'],
  joinable: ['unjoinable', 'pending', 'closed'],
  unjoinable: ['joinable', 'closed'],
  closed: [],
};

type Seating = { player: string; team: number };

const join = (model: Model, { player, team }: Seating): Outcome => {
  const seat = model.seats.get(player);
  const stays = seat?.team === team;
  const isClosed = model.instance === 'closed' && !stays ? 'instance_closed' : undefined;
  const door = seat && isSeated(seat) ? isClosed : findClosedDoor(model, seat);
  const refused = door ?? (stays ? undefined : findFullness(model, team));
  if (refused) return { refused };
  const leads = seat?.status === 'leader' || !findLeader(model);
  const status = leads ? 'leader' : 'member';
  return { model: withSeat(model, player, { team, status, joined: seat?.joined ?? '' }) };
};

const invite = (model: Model, { player, team }: Seating): Outcome => {
  const seat = model.seats.get(player);
  if (seat && isSeated(seat)) return seat.team === team ? { model } : { refused: 'player_seated' };
  const refused = seat?.team === team ? undefined : findFullness(model, team);
  if (refused) return { refused };
  return { model: withSeat(model, player, { team, status: 'invited', joined: '' }) };
};

const kick = (model: Model, player: string): Outcome => {
  const seat = model.seats.get(player);
  if (!seat) return { refused: 'seat_not_found' };
  const seats = new Map(model.seats);
  seats.delete(player);
  const [heir] = [...seats].filter(([, other]) => isSeated(other)).sort(bySeniority);
  if (seat.status === 'leader' && heir) seats.set(heir[0], { ...heir[1], status: 'leader' });
  return { model: { ...model, seats } };
};

const move = (model: Model, { player, team }: Seating): Outcome => {
  const seat = model.seats.get(player);
  if (!seat) return { refused: 'seat_not_found' };
  if (seat.team === team) return { model };
  const refused = findFullness(model, team);
  return refused ? { refused } : { model: withSeat(model, player, { ...seat, team }) };
};

const promote = (model: Model, player: string): Outcome => {
  const seat = model.seats.get(player);
  if (!seat) return { refused: 'seat_not_found' };
  if (!isSeated(seat)) return { refused: 'seat_held' };
  const leader = findLeader(model);
  const demoted = leader ? withSeat(model, leader[0], { ...leader[1], status: 'member' }) : model;
  return { model: withSeat(demoted, player, { ...seat, status: 'leader' }) };
};

const isSeated = ({ status }: ModelSeat): boolean => status === 'leader' || status === 'member';

const findLeader = ({ seats }: Model) => [...seats].find(([, { status }]) => status === 'leader');

const findClosedDoor = ({ instance, joinable }: Model, held: ModelSeat | undefined) => {
  if (instance === 'closed') return 'instance_closed';
  if (instance === 'unjoinable') return 'instance_unjoinable';
  return joinable || held ? undefined : 'session_not_joinable';
};

const findFullness = (model: Model, team: number): string | undefined => {
  const free = [...model.sizes].filter(([id, size]) => countSeats(model, id) < size);
  if (free.some(([id]) => id === team)) return undefined;
  return free.length > 0 ? 'team_full' : 'session_full';
};

const countSeats = ({ seats }: Model, team: number): number =>
  [...seats.values()].filter((seat) => seat.team === team).length;

const withSeat = (model: Model, player: string, seat: ModelSeat): Model => ({
  ...model,
  seats: new Map(model.seats).set(player, seat),
});

type Entry = [string, ModelSeat];

const bySeniority = ([a, { joined: first }]: Entry, [b, { joined: second }]: Entry): number =>
  first.localeCompare(second) || (a < b ? -1 : 1);
