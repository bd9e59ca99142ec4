import { Tag } from '../../ui/facts.tsx';
import type { Level } from './thresholds.ts';

const LEVELS = {
  ok: { tone: 'good', text: 'OK' },
  warning: { tone: 'warn', text: 'Warning' },
  critical: { tone: 'bad', text: 'Critical' },
  unknown: { tone: 'neutral', text: 'Not enough data' },
} as const;

export const LevelTag = ({ level }: { level: Level }) => (
  <Tag tone={LEVELS[level].tone}>{LEVELS[level].text}</Tag>
);
