import { Tag } from '../../components/tag/tag.tsx';
import { useNow } from '../../components/time/use-now.ts';
import type { Key } from './key-row.ts';
import { readState } from './key-row.ts';

const TONES = { active: 'good', revoked: 'bad', expired: 'neutral' } as const;

export const KeyStateTag = ({ value }: { value: Key }) => {
  const state = readState(value, useNow());
  return <Tag tone={TONES[state]}>{state}</Tag>;
};
