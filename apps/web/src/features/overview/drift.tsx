// How many records of a sandbox differ from each of the other sandboxes.
import { Button } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiOutputs } from '../../api/client.ts';
import { trpc } from '../../api/client.ts';
import type { Sandbox } from '../../api/sandboxes.ts';
import { useSandboxes } from '../../api/sandboxes.ts';
import { Tag } from '../../ui/facts.tsx';
import { Name } from '../../ui/names.tsx';
import { RECORD_KINDS } from '../records/record-kind.ts';
import classes from './overview.module.css';

const KINDS = ['item', 'xp'] as const;
const SHOWN = 5;
/** Counting reads every record of both sandboxes, so larger ones are counted on request only. */
const MAX_UNASKED = 20_000;
const STALE_MS = 60_000;

/** `records` is the number of records in this sandbox. */
export const Drift = ({ sandbox, records }: { sandbox: string; records: number }) => {
  const others = useSandboxes().filter(({ sandbox_id }) => sandbox_id !== sandbox);
  const [isAsked, setAsked] = useState(false);
  const isCounted = isAsked || records <= MAX_UNASKED;
  return (
    <section aria-labelledby="drift">
      <h2 id="drift">Compared with other sandboxes</h2>
      {others.length === 0 && <p className="hint">There is no other sandbox.</p>}
      {others.length > 0 && !isCounted && (
        <Button variant="default" onClick={() => setAsked(true)}>
          Count the differences
        </Button>
      )}
      {others.length > 0 && isCounted && (
        <ul className={classes.list}>
          {others.slice(0, SHOWN).map((other) => (
            <DriftRow key={other.sandbox_id} sandbox={sandbox} other={other} />
          ))}
        </ul>
      )}
      {others.length > SHOWN && (
        <Link to="/s/$sandbox/compare-sandboxes" params={{ sandbox }}>
          Compare with {others.length - SHOWN} more
        </Link>
      )}
    </section>
  );
};

type Counts = ApiOutputs['compare']['list']['counts'];

const countDifferent = ({ only_source, only_target, different }: Counts): number =>
  only_source + only_target + different;

const DriftRow = ({ sandbox, other }: { sandbox: string; other: Sandbox }) => {
  const source = other.sandbox_id;
  const counts = useQueries({
    queries: KINDS.map((kind) => ({
      ...trpc.compare.list.queryOptions({
        sandbox_id: sandbox,
        source_sandbox_id: source,
        kind,
        page_size: 1,
      }),
      staleTime: STALE_MS,
    })),
  });
  const words = KINDS.flatMap((kind, at) => {
    const { data } = counts[at] ?? {};
    const differing = data ? countDifferent(data.counts) : 0;
    const { one, many } = RECORD_KINDS[kind];
    return differing === 0
      ? []
      : [`${differing.toLocaleString('en')} ${differing === 1 ? one : many}`];
  });
  const failed = counts.filter(({ error, data }) => error && !data);
  const retry = () => {
    for (const { refetch } of failed) void refetch();
  };
  return (
    <li>
      <Link to="/s/$sandbox/compare-sandboxes" params={{ sandbox }} search={{ source }}>
        <Name name={other.name} id={source} />
      </Link>
      <span className={classes.who} aria-live="polite">
        {failed.length > 0 && (
          <>
            could not be compared
            <Button variant="subtle" size="compact-xs" onClick={retry}>
              Try again
            </Button>
          </>
        )}
        {failed.length === 0 && counts.some(({ data }) => !data) && 'counting …'}
        {failed.length === 0 &&
          counts.every(({ data }) => data) &&
          (words.length > 0 ? `differs in ${words.join(', ')}` : <Tag tone="good">the same</Tag>)}
      </span>
    </li>
  );
};
