import { VisuallyHidden } from '@mantine/core';
import { usePlayerNaming } from '../../../features/players/player-names.ts';
import type { Arrival } from './find-arrivals.ts';

/** Says who has come, for those who do not see the board change. */
export const ArrivalNews = ({ arrivals }: { arrivals: readonly Arrival[] }) => (
  <VisuallyHidden>
    <div role="log" aria-label="Arrivals" aria-live="polite">
      {arrivals.map((arrival) => (
        <Sentence key={`${arrival.playerUuid} ${arrival.isHeld}`} arrival={arrival} />
      ))}
    </div>
  </VisuallyHidden>
);

/** Waits for the name: a sentence is read out once, as it first stands there. */
const Sentence = ({ arrival: { playerUuid, teamId, isHeld } }: { arrival: Arrival }) => {
  const { label, isSettled } = usePlayerNaming(playerUuid);
  if (!isSettled) return null;
  const team = teamId === undefined ? 'the session' : `team ${teamId}`;
  return (
    <p>
      {label} {isHeld ? 'has a seat held in' : 'has joined'} {team}.
    </p>
  );
};
