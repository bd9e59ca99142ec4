// What the check of a file found, and the result of its import.

import { Alert, Box, Button, Group } from '@mantine/core';
import { nameField } from '@muster/record-diff';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AnswerHeading } from '../../ui/answer-heading.tsx';
import { FormError } from '../../ui/forms.tsx';
import type { ReviewedChangeSet } from '../change-sets/review-queries.ts';
import { changeSetOptions } from '../change-sets/review-queries.ts';
import { RECORD_KINDS } from '../records/record-kind.ts';
import { ImportColumns } from './import-columns.tsx';
import type { ImportAnswer, ImportKind, MappedColumns } from './import-file.ts';
import { countChanges } from './import-file.ts';
import classes from './import-source.module.css';
import { describeRows, findRemedy, writeProblems } from './problem-groups.ts';
import type { Checked, Source } from './use-import.ts';
import { readProblems } from './use-import.ts';

type CheckPanelProps = {
  source: Source;
  checked: Checked;
  onMap: (mapping: MappedColumns) => void;
};

export const CheckPanel = ({ source, checked, onMap }: CheckPanelProps) => {
  const { answer } = checked;
  return (
    <>
      <AnswerHeading answer={answer}>
        {describe(answer, countChanges(answer), source)}
      </AnswerHeading>
      <ImportColumns kind={source.kind} columns={answer.columns} onChange={onMap} />
      {answer.converted_count > 0 && (
        <Alert color="gray">
          {count(answer.converted_count)}{' '}
          {answer.converted_count === 1 ? 'number or boolean' : 'numbers and booleans'} in custom
          data will be imported as text.
        </Alert>
      )}
      {answer.error_count > 0 ? (
        <ProblemList checked={checked} />
      ) : (
        <>
          <PlanCounts counts={answer.counts} />
          <SameNames answer={answer} />
          <MissingTables answer={answer} />
        </>
      )}
    </>
  );
};

const describe = ({ error_count }: ImportAnswer, total: number, source: Source): string => {
  const what = source.describe();
  if (error_count > 0) {
    return `${count(error_count)} ${error_count === 1 ? 'problem' : 'problems'} in ${what}; nothing can be imported yet`;
  }
  if (total === 0) return `Nothing to do: everything in ${what} is already there`;
  return `What ${what} would do`;
};

const count = (value: number): string => value.toLocaleString('en');

const LABELS: [keyof ImportAnswer['counts'], words: string, colour?: string][] = [
  ['create', 'Create'],
  ['update', 'Change'],
  ['restore', 'Restore'],
  ['delete', 'Delete', 'var(--muster-bad)'],
  ['unchanged', 'Leave as is'],
];

const PlanCounts = ({ counts }: Pick<ImportAnswer, 'counts'>) => (
  <dl className={classes.counts}>
    {LABELS.map(([name, words, colour]) => (
      <Box key={name} className="raised" p="6px 12px">
        <Box component="dt" c="dimmed" fz="xs">
          {words}
        </Box>
        <Box
          component="dd"
          className="numbers"
          fz="1.25rem"
          fw={counts[name] === 0 ? 400 : 600}
          c={counts[name] === 0 ? 'dimmed' : colour}
        >
          {counts[name].toLocaleString('en')}
        </Box>
      </Box>
    ))}
  </dl>
);

const MAX_WARNINGS_SHOWN = 5;

type WarningsProps = { answer: ImportAnswer };

/** Duplicate names are allowed, so this is only a warning. */
const SameNames = ({ answer }: WarningsProps) => {
  const total = answer.warning_counts.name ?? 0;
  return (
    <Warnings
      answer={answer}
      column="name"
      title={`${count(total)} new ${total === 1 ? 'record has' : 'records have'} the name of another one`}
      hint="To change a record that is there already, give its row the id or the legacy id of that record."
    />
  );
};

const MissingTables = ({ answer }: WarningsProps) => {
  const total = answer.warning_counts.level_xp_table_id ?? 0;
  return (
    <Warnings
      answer={answer}
      column="level_xp_table_id"
      title={`${count(total)} ${total === 1 ? 'Item names an Xp table' : 'Items name Xp tables'} that this sandbox does not have`}
      hint="The Items can be imported. Import or restore the Xp tables as well."
    />
  );
};

const Warnings = ({
  answer: { warnings, warning_counts },
  column,
  title,
  hint,
}: WarningsProps & { column: string; title: string; hint: string }) => {
  const total = warning_counts[column] ?? 0;
  if (total === 0) return null;
  const shown = warnings.filter((warning) => warning.column === column);
  return (
    <Alert color="yellow" title={title}>
      <ul>
        {shown.slice(0, MAX_WARNINGS_SHOWN).map(({ row, msg }) => (
          <li key={row}>
            Row {count(row)}: {msg}
          </li>
        ))}
      </ul>
      {total > MAX_WARNINGS_SHOWN && <p>The first {MAX_WARNINGS_SHOWN} are listed.</p>}
      <Box component="p" className="hint" mb="xs">
        {hint}
      </Box>
    </Alert>
  );
};

/** All errors in the file. Row numbers match those of a spreadsheet or an editor. */
const ProblemList = ({ checked }: { checked: Checked }) => (
  <>
    <Group justify="space-between" align="flex-start">
      <Box component="p" className="hint" mb="xs">
        Rows are counted from 1, as a spreadsheet or an editor shows them. Correct them, then check
        again.
      </Box>
      <DownloadProblems checked={checked} />
    </Group>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
    <section className={classes.problems} tabIndex={0} aria-label="Problems">
      <table>
        <thead>
          <tr>
            <th scope="col">Rows</th>
            <th scope="col">Column</th>
            <th scope="col">What is wrong</th>
            <th scope="col">Remedy</th>
            <th scope="col">Count</th>
          </tr>
        </thead>
        <tbody>
          {checked.answer.error_groups.map((group) => (
            <tr key={JSON.stringify([group.column, group.msg])}>
              <td className="numbers">{describeRows(group)}</td>
              <td className="mono" data-hint={group.column && nameField(group.column)}>
                {group.column ?? '–'}
              </td>
              <td>{group.msg}</td>
              <td>{findRemedy(group.msg) ?? '–'}</td>
              <td className="numbers">{count(group.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </>
);

const DownloadProblems = ({ checked }: { checked: Checked }) => {
  const download = useMutation({
    mutationFn: async () => saveText('problems.csv', writeProblems(await readProblems(checked))),
  });
  return (
    <>
      <Button
        variant="default"
        size="xs"
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        Download the problems as CSV
      </Button>
      <FormError error={download.error} fields={[]} />
    </>
  );
};

const saveText = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};

type ImportResultProps = { sandbox: string; kind: ImportKind; changeSetId: string };

/** After the change set was applied or submitted. */
export const ImportResult = ({ sandbox, kind, changeSetId: id }: ImportResultProps) => {
  const { data: set } = useQuery(changeSetOptions(sandbox, id));
  if (!set || set.state === 'draft') return null;
  const { many, paths } = RECORD_KINDS[kind];
  return (
    <Alert color={set.applied || isWaiting(set) ? 'green' : 'yellow'}>
      <AnswerHeading answer={id}>{describeResult(set, kind)}</AnswerHeading>
      <Group gap="md" mt="xs">
        {set.applied?.transaction_id && (
          <Link
            to="/s/$sandbox/history"
            params={{ sandbox }}
            search={{ transaction_id: set.applied.transaction_id }}
          >
            See every change in the history
          </Link>
        )}
        <Link to="/s/$sandbox/change-sets/$id" params={{ sandbox, id }}>
          Open the change set
        </Link>
        <Link to={paths.list} params={{ sandbox }}>
          Open {many}
        </Link>
      </Group>
    </Alert>
  );
};

const isWaiting = ({ state }: ReviewedChangeSet): boolean =>
  state === 'in_review' || state === 'approved' || state === 'scheduled';

const describeResult = (set: ReviewedChangeSet, kind: ImportKind): string => {
  const { one, many } = RECORD_KINDS[kind];
  const total = set.operation_count;
  const records = `${count(total)} ${total === 1 ? one : many}`;
  if (set.applied) {
    const later = set.state === 'reverted' ? ', and later reverted' : '';
    return `Imported: ${records} ${total === 1 ? 'was' : 'were'} written${later}`;
  }
  return isWaiting(set)
    ? `Submitted for review: ${records}`
    : `Not imported. State of the change set: ${set.state}`;
};
