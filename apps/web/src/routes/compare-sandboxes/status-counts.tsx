import { UnstyledButton } from '@mantine/core';
import { useUrlChange } from '../../components/url/url-state.ts';
import classes from './compare-sandboxes.module.css';
import type { Comparison, Counts, Entry } from './comparison.ts';

type StatusCountsProps = {
  comparison: Comparison;
  counts: Counts | undefined;
  status: Entry['status'] | undefined;
};

/** How much differs; each figure filters the list. */
export const StatusCounts = ({ comparison, counts, status }: StatusCountsProps) => {
  const { source, target } = comparison;
  const change = useUrlChange();
  const words: [Entry['status'], string][] = [
    ['only_source', `Only in ${source.name}`],
    ['only_target', `Only in ${target.name}`],
    ['different', 'Different'],
  ];
  return (
    <fieldset className={classes.counts} aria-label="Filter by where">
      {words.map(([name, label]) => (
        <UnstyledButton
          key={name}
          className={classes.count}
          aria-pressed={status === name}
          onClick={() => change({ status: status === name ? undefined : name, sel: undefined })}
        >
          <span className={classes.words}>{label}</span>
          <span className={classes.figure}>{counts?.[name].toLocaleString('en') ?? '…'}</span>
        </UnstyledButton>
      ))}
      <div className={classes.count}>
        <span className={classes.words}>The same</span>
        <span className={classes.figure}>{counts?.same.toLocaleString('en') ?? '…'}</span>
      </div>
    </fieldset>
  );
};
