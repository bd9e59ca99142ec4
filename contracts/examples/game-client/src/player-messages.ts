import type { Step } from './choose-next-step.ts';
import type { JoinOutcome } from './join-game.ts';

const MESSAGES: Record<Step, string> = {
  'wait-in-queue': 'No place for you yet. You are in the queue.',
  'return-to-browser': 'This session is full. Choose another one.',
  'refresh-list': 'This session is over. Here is a fresh list.',
  'ask-for-invitation':
    'This session takes invited players only. Ask a friend in it to invite you.',
  'update-game': 'This session runs another version. Update the game.',
  'open-crossplay-settings':
    'You, or players in this session, do not play across these platforms or devices. See your crossplay settings.',
  'sign-in': 'Sign in again.',
  'try-later': 'The service is busy. Try again in a moment.',
  'report-problem': 'That should not have happened. Please report it.',
};

/** What the player reads after a join. */
export const writeMessage = (outcome: JoinOutcome): string => {
  if ('next' in outcome) return MESSAGES[outcome.next.step];
  const { isLeader, host } = outcome.seat;
  const role = isLeader ? 'You lead this session.' : 'You are in.';
  if (host.state === 'ready') return `${role} Connecting to ${host.address}.`;
  return host.state === 'over' ? 'The match is over.' : `${role} The match is being prepared.`;
};
