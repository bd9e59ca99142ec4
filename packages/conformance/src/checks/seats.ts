import assert from 'node:assert/strict';
import type { Session, SessionPlayer } from '@muster/contract';

export const seatsOf = (session: Session): SessionPlayer[] =>
  session.teams.flatMap((team) => team.players);

export const findSeat = (session: Session, playerUuid: string): SessionPlayer | undefined =>
  seatsOf(session).find((seat) => seat.player_uuid === playerUuid.toLowerCase());

/** The one seat of the player. */
export const seatOf = (session: Session, playerUuid: string): SessionPlayer => {
  const seats = seatsOf(session).filter((seat) => seat.player_uuid === playerUuid.toLowerCase());
  assert.equal(seats.length, 1, `player ${playerUuid} has ${seats.length} seats`);
  const [seat] = seats;
  assert.ok(seat);
  return seat;
};

export const statusOf = (session: Session, playerUuid: string): string =>
  seatOf(session, playerUuid).status;

export const teamOf = (session: Session, playerUuid: string): number | undefined =>
  session.teams.find((team) => team.players.some((seat) => seat.player_uuid === playerUuid))
    ?.team_id;

export const leadersOf = (session: Session): string[] =>
  seatsOf(session)
    .filter((seat) => seat.status === 'leader')
    .map((seat) => seat.player_uuid);
