import classes from './import.module.css';
import type { ImportAnswer } from './import-answer.ts';

const WORDS: [keyof ImportAnswer['counts'], string][] = [
  ['create', 'Create'],
  ['update', 'Change'],
  ['restore', 'Bring back'],
  ['delete', 'Delete'],
  ['unchanged', 'Leave as is'],
];

export const PlanCounts = ({ counts }: Pick<ImportAnswer, 'counts'>) => (
  <dl className={classes.counts}>
    {WORDS.map(([name, words]) => (
      <div key={name} data-what={name} data-none={counts[name] === 0 || undefined}>
        <dt>{words}</dt>
        <dd className="numbers">{counts[name].toLocaleString('en')}</dd>
      </div>
    ))}
  </dl>
);
