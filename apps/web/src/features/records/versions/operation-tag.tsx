import type { HistoryOperation } from '@muster/contract';
import type { Tone } from '../../../components/tag/tag.tsx';
import { Tag } from '../../../components/tag/tag.tsx';

const WORDS: Record<HistoryOperation, [string, Tone]> = {
  insert: ['created', 'good'],
  update: ['changed', 'info'],
  delete: ['deleted', 'bad'],
  restore: ['restored', 'warn'],
};

export const OperationTag = ({ operation }: { operation: HistoryOperation }) => {
  const [words, tone] = WORDS[operation];
  return <Tag tone={tone}>{words}</Tag>;
};
