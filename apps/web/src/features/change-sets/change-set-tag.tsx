import type { Tone } from '../../ui/facts.tsx';
import { Tag } from '../../ui/facts.tsx';
import type { ChangeSetState } from './change-set-queries.ts';

export const STATE_LABELS: Record<ChangeSetState, [string, Tone]> = {
  draft: ['draft', 'neutral'],
  in_review: ['in review', 'info'],
  approved: ['approved', 'good'],
  rejected: ['rejected', 'bad'],
  scheduled: ['scheduled', 'info'],
  applied: ['applied', 'good'],
  reverted: ['reverted', 'warn'],
  conflicted: ['conflicted', 'bad'],
  cancelled: ['cancelled', 'neutral'],
  failed: ['failed', 'bad'],
};

export const StateTag = ({ state }: { state: ChangeSetState }) => {
  const [words, tone] = STATE_LABELS[state];
  return <Tag tone={tone}>{words}</Tag>;
};
