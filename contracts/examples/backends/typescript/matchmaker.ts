// A matchmaker for matches of three against three: opens matches, replaces servers that crash, and fills seats that are free.
import { randomUUID } from 'node:crypto';
import type { AdminClient, InstanceInput } from '@muster/admin-client';
import type { RepeatableCall } from './repeat-call.ts';
import { createRepeatableCall, isRefusal } from './repeat-call.ts';

const TEAM_SIZE = 3;
const TEAM_IDS = [0, 1];

/** A server that the fleet has reserved; `ready` resolves when players can connect. */
export type AllocatedServer = {
  instance: Omit<InstanceInput, 'join_status'>;
  ready: Promise<unknown>;
};

export type Match = {
  name: { type: string; session_id: string };
  /** Clients join by it. */
  platform_session_id_base64: string;
  /** By player, as this matchmaker knows them. */
  seats: Map<string, Seat>;
  etag?: string;
};

/** A seat is held until its player joins. */
type Seat = { team_id: number; isHeld: boolean };

export type MatchmakerOptions = {
  muster: AdminClient;
  /** The session type of the matches. */
  type: string;
  allocateServer: () => Promise<AllocatedServer>;
};

export class Matchmaker {
  readonly #call: RepeatableCall;
  readonly #type: string;
  readonly #allocateServer: MatchmakerOptions['allocateServer'];
  /** The open matches by `session_id`. */
  readonly #matches = new Map<string, Match>();
  /** A real matchmaker stores it, to continue after a restart. */
  #cursor: string | undefined;

  constructor({ muster, type, allocateServer }: MatchmakerOptions) {
    this.#call = createRepeatableCall(muster);
    this.#type = type;
    this.#allocateServer = allocateServer;
  }

  /** Three calls: the session with its seats, its server, and the server is ready. */
  async openMatch(players: readonly string[]): Promise<Match> {
    const session_id = `match-${randomUUID()}`;
    const match: Match = {
      name: { type: this.#type, session_id },
      platform_session_id_base64: Buffer.from(session_id).toString('base64url'),
      seats: new Map(players.map((player, index) => [player, holdSeat(index % TEAM_IDS.length)])),
    };
    await this.#call('sessions.create', {
      ...match.name,
      // Only players with a held seat may join.
      joinable: false,
      teams: TEAM_IDS.map((team_id) => ({ team_id, max_size: TEAM_SIZE })),
      platform_session: [
        {
          platform: 'Steam',
          platform_session_type: 'lobby',
          platform_session_id_base64: match.platform_session_id_base64,
        },
      ],
      players: toInvitations(match.seats),
    });
    this.#matches.set(session_id, match);
    await this.#startServer(match);
    return match;
  }

  /** Waits until no seat is held: each player has joined, or the seat has expired. Returns false when the session has ended. */
  async waitForPlayers(match: Match): Promise<boolean> {
    while (await this.#watch(match, 20)) {
      if (![...match.seats.values()].some(({ isHeld }) => isHeld)) return true;
    }
    return false;
  }

  /** The server of a match has crashed. The seats remain: players join again and get the new address. */
  async replaceServer(match: Match): Promise<void> {
    // Until the new server is ready, joins of new players are refused with `instance_closed`.
    await this.#call('sessions.setInstanceStatus', {
      ...match.name,
      join_status: 'closed',
      instance_health: 'unhealthy',
    });
    await this.#startServer(match);
  }

  /** Removes a player, who may join again only after a new invitation. */
  async removePlayer(match: Match, player_uuid: string): Promise<void> {
    try {
      await this.#call('sessions.removePlayer', {
        ...match.name,
        player_uuid,
        prevent_rejoin: true,
      });
    } catch (error) {
      // The player has left, or the call is repeated after a lost response.
      if (!isRefusal(error, 'seat_not_found')) throw error;
    }
    match.seats.delete(player_uuid);
  }

  /**
   * Reads one page of the feed of all matches, and the matches that have lost a player. An event may come late or twice, so it only
   * names the match to read.
   */
  async readFeed(wait_seconds: number): Promise<void> {
    const { events, page_meta } = await this.#call('events.list', {
      ...(this.#cursor !== undefined && { cursor: this.#cursor }),
      session_type: this.#type,
      kinds: ['player_left', 'player_removed', 'seat_expired', 'session_ended'],
      wait_seconds,
    });
    for (const session_id of new Set(events.map((event) => event.session_id))) {
      const match = session_id === undefined ? undefined : this.#matches.get(session_id);
      if (match && !(await this.#watch(match, 0))) this.#forget(match);
    }
    this.#cursor = page_meta.cursor;
  }

  /** Holds seats for a party, for all of its players or for none. Returns false when the match has no room. */
  async backfill(match: Match, party: readonly string[]): Promise<boolean> {
    const free = TEAM_IDS.flatMap((team_id) =>
      Array.from({ length: countFree(match, team_id) }, () => holdSeat(team_id)),
    );
    if (free.length < party.length) return false;
    const seats = new Map(party.map((player, index) => [player, free[index] as Seat]));
    try {
      await this.#call('sessions.invitePlayers', { ...match.name, players: toInvitations(seats) });
    } catch (error) {
      // The match has ended, or its seats have been taken since it was read: the party stays in the queue.
      if (isRefusal(error, 'team_full', 'session_full', 'session_not_found')) return false;
      throw error;
    }
    for (const [player, seat] of seats) match.seats.set(player, seat);
    return true;
  }

  async endMatch(match: Match): Promise<void> {
    await this.#call('sessions.end', match.name);
    this.#forget(match);
  }

  #forget({ name }: Match): void {
    this.#matches.delete(name.session_id);
  }

  async #startServer(match: Match): Promise<void> {
    const { instance, ready } = await this.#allocateServer();
    await this.#call('sessions.setInstance', {
      ...match.name,
      instance: { ...instance, join_status: 'allocated' },
    });
    await ready;
    await this.#call('sessions.setInstanceStatus', { ...match.name, join_status: 'joinable' });
  }

  /** Reads the session as soon as it differs from the state that was read last. Returns false when it has ended. */
  async #watch(match: Match, wait_seconds: number): Promise<boolean> {
    const found = await this.#call('sessions.watch', {
      ...match.name,
      ...(match.etag !== undefined && { if_none_match: match.etag }),
      wait_seconds,
    });
    if (!found) return false;
    if ('unchanged' in found) return true;
    match.etag = found.etag;
    match.seats = new Map(
      found.session.teams.flatMap(({ team_id = 0, players }) =>
        players.map(({ player_uuid, status }) => {
          const isHeld = status === 'invited' || status === 'reserved';
          return [player_uuid, { team_id, isHeld }] as const;
        }),
      ),
    );
    return found.ended === undefined;
  }
}

const holdSeat = (team_id: number): Seat => ({ team_id, isHeld: true });

const toInvitations = (seats: ReadonlyMap<string, Seat>) =>
  [...seats].map(([player_uuid, { team_id }]) => ({
    player_uuid,
    team_id,
    status: 'reserved' as const,
  }));

const countFree = ({ seats }: Match, team_id: number): number =>
  TEAM_SIZE - [...seats.values()].filter((seat) => seat.team_id === team_id).length;
