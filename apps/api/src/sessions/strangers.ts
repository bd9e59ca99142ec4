// Players who take their seats without having been looked up. A statement of its own for what is stored of them would
// cost as much as a share of the write: the write, or the look at what is stored, finds out on its way.
import type { SessionState } from './session-state.ts';
import type { FoundPlayer, Written } from './session-write.ts';

/** A player whose change is decided without what is stored of them. It leaves the legacy id of their seat alone. */
export type Stranger = {
  readonly playerUuid: string;
  /** Then the change is decided with what is stored of the player, and they are a stranger no more. */
  readonly isLookedUp: boolean;
  lookUp(): Promise<void>;
  /** Hears what the write of the seat has found. */
  hear(found: FoundPlayer): void;
};

type Waiting = readonly { stranger?: Stranger }[];

export const listStrangers = (changes: Waiting): Stranger[] =>
  changes.flatMap(({ stranger }) => (stranger && !stranger.isLookedUp ? [stranger] : []));

/**
 * Those of the strangers whose seats are right only if they hold no legacy id. A seat that names one is right for ever,
 * and one that is not taken yet will be written.
 */
export const listUnnumbered = ({ seats }: SessionState, changes: Waiting): string[] =>
  listStrangers(changes).flatMap(({ playerUuid }) => {
    const seat = seats.get(playerUuid);
    return seat && seat.playerId === undefined ? [playerUuid] : [];
  });

/** The session as it was written: with the legacy ids that its strangers hold. Lets the strangers hear of it. */
export const introduce = (
  session: SessionState,
  strangers: readonly Stranger[],
  written: Written,
): SessionState => {
  if (written.length === 0) return session;
  const seats = new Map(session.seats);
  for (const found of written) {
    const seat = seats.get(found.playerUuid);
    const { playerId = seat?.playerId } = found;
    if (seat) seats.set(found.playerUuid, { ...seat, playerId });
    for (const stranger of strangers) {
      if (stranger.playerUuid === found.playerUuid) stranger.hear(found);
    }
  }
  return { ...session, seats };
};
