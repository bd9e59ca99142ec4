import type { Tone } from '../../components/tag/tag.tsx';
import { Tag } from '../../components/tag/tag.tsx';
import type { PlannedChange, PlannedOperation } from './planned-change.ts';

const WORDS: Record<PlannedOperation, [string, Tone]> = {
  create: ['create', 'good'],
  insert: ['create', 'good'],
  update: ['change', 'info'],
  restore: ['bring back', 'warn'],
  delete: ['delete', 'bad'],
};

/** What will happen to a record; what has happened to one is told in the past tense elsewhere. */
export const PlannedTag = ({ change }: { change: PlannedChange }) => {
  const [words, tone] = WORDS[change.operation];
  return (
    <Tag tone={tone}>
      {words}
      {change.also_changed && ' and change'}
    </Tag>
  );
};
