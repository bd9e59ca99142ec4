import { Tag } from '../../components/tag/tag.tsx';
import { HEALTH_WORDS, JOIN_STATUS_WORDS, SEAT_WORDS } from './session-words.ts';

const ALL = { seat: SEAT_WORDS, instance: JOIN_STATUS_WORDS, health: HEALTH_WORDS };

/** A state of a seat, an instance or its health, as a word in its tone. */
export const WordTag = ({ of, value }: { of: keyof typeof ALL; value: string }) => {
  const word = ALL[of][value];
  return <Tag tone={word?.tone}>{word?.label ?? value}</Tag>;
};
