// A preview of the changes that importing the file would make.

import { Alert, Box, Group } from '@mantine/core';
import { nameField } from '@muster/record-diff';
import { Link } from '@tanstack/react-router';
import { usePermission } from '../../api/me.ts';
import { useSandbox, useSandboxId } from '../../api/sandboxes.ts';
import { AnswerHeading } from '../../ui/answer-heading.tsx';
import { ApprovalForm } from '../planned-changes/approval-form.tsx';
import { PlannedList } from '../planned-changes/planned-list.tsx';
import { RECORD_KINDS } from '../records/record-kind.ts';
import type { ImportAnswer, ImportKind } from './import-file.ts';
import { countChanges } from './import-file.ts';
import classes from './import-source.module.css';
import { describeRows, groupProblems } from './problem-groups.ts';
import type { Checked, Import, Source } from './use-import.ts';
import { usePlannedRows } from './use-import.ts';

type PlanPanelProps = { source: Source; checked: Checked; onApply: Import['apply'] };

export const PlanPanel = ({ source, checked, onApply }: PlanPanelProps) => {
  const { answer } = checked;
  const total = countChanges(answer);
  return (
    <section className="column" aria-labelledby="plan">
      <AnswerHeading id="plan" answer={answer}>
        {describe(answer, total, source)}
      </AnswerHeading>
      {answer.error_count > 0 ? (
        <ProblemList answer={answer} />
      ) : (
        <>
          <PlanCounts counts={answer.counts} />
          {answer.warning_count > 0 && <SameNames answer={answer} />}
          {total > 0 && (
            <>
              <Changes key={answer.plan_digest} checked={checked} />
              <Approval kind={source.kind} answer={answer} onApply={onApply} />
            </>
          )}
        </>
      )}
    </section>
  );
};

/** Lists all operations of the plan. */
const Changes = ({ checked }: { checked: Checked }) => (
  <PlannedList rows={usePlannedRows(checked)} hasRows />
);

const describe = ({ error_count }: ImportAnswer, total: number, source: Source): string => {
  const what = source.describe();
  if (error_count > 0) {
    return `${count(error_count)} ${error_count === 1 ? 'problem' : 'problems'} in ${what}; nothing can be imported yet`;
  }
  if (total === 0) return `Nothing to do: everything in ${what} is already there`;
  return `What ${what} would do`;
};

const count = (value: number): string => value.toLocaleString('en');

type ApprovalProps = Pick<PlanPanelProps, 'onApply'> & { answer: ImportAnswer; kind: ImportKind };

const Approval = ({ kind, answer, onApply }: ApprovalProps) => {
  const id = useSandboxId();
  const sandbox = useSandbox(id);
  const mayAdminister = usePermission(['sandbox:*'], id);
  if (!sandbox) return null;
  const { counts } = answer;
  // A record that is restored with other values counts as changed. Only the service knows which ones are.
  const changesAny = counts.update + counts.delete > 0 || (counts.restore > 0 && mayAdminister);
  const total = countChanges(answer);
  return (
    <ApprovalForm
      sandbox={sandbox}
      action={`Apply ${count(total)} ${total === 1 ? 'change' : 'changes'}`}
      isGuarded={sandbox.protected === true && changesAny}
      isDestructive={counts.delete > 0}
      onApply={(approval) => void onApply(approval)}
    >
      {count(counts.create)} created, {count(counts.update)} changed, {count(counts.restore)}{' '}
      restored, <strong>{count(counts.delete)} deleted</strong>. Every one of these{' '}
      {RECORD_KINDS[kind].many} can be restored from its history.
    </ApprovalForm>
  );
};

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

/** Duplicate names are allowed, so this is only a warning. */
const SameNames = ({ answer: { warnings, warning_count } }: { answer: ImportAnswer }) => (
  <Alert
    color="yellow"
    title={`${count(warning_count)} new ${warning_count === 1 ? 'record has' : 'records have'} the name of another one`}
  >
    <ul>
      {warnings.slice(0, MAX_WARNINGS_SHOWN).map(({ row, msg }) => (
        <li key={row}>
          Row {count(row)}: {msg}
        </li>
      ))}
    </ul>
    {warning_count > MAX_WARNINGS_SHOWN && <p>The first {MAX_WARNINGS_SHOWN} are listed.</p>}
    <Box component="p" className="hint" mb="xs">
      To change a record that is there already, give its row the id of that record.
    </Box>
  </Alert>
);

/** All errors in the file. Row numbers match those of a spreadsheet or an editor. */
const ProblemList = ({ answer }: { answer: ImportAnswer }) => (
  <>
    <Box component="p" className="hint" mb="xs">
      Rows are counted from 1, as a spreadsheet or an editor shows them. Correct them, then check
      again.
    </Box>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
    <section className={classes.problems} tabIndex={0} aria-label="Problems">
      <table>
        <thead>
          <tr>
            <th scope="col">Rows</th>
            <th scope="col">Column</th>
            <th scope="col">What is wrong</th>
            <th scope="col">Remedy</th>
          </tr>
        </thead>
        <tbody>
          {groupProblems(answer.errors).map(({ rows, column, msg, remedy }) => (
            <tr key={JSON.stringify([column, msg])}>
              <td className="numbers">{describeRows(rows)}</td>
              <td className="mono" data-hint={column && nameField(column)}>
                {column ?? '–'}
              </td>
              <td>{msg}</td>
              <td>{remedy ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
    {answer.error_count > answer.errors.length && (
      <Box component="p" className="hint" mb="xs">
        The first {answer.errors.length.toLocaleString('en')} of{' '}
        {answer.error_count.toLocaleString('en')} are listed.
      </Box>
    )}
  </>
);

type ImportResultProps = { kind: ImportKind; answer: ImportAnswer };

export const ImportResult = ({ kind, answer }: ImportResultProps) => {
  const sandbox = useSandboxId();
  const total = countChanges(answer);
  const { one, many, paths } = RECORD_KINDS[kind];
  return (
    <Alert color="green">
      <AnswerHeading answer={answer}>
        Imported: {total.toLocaleString('en')} {total === 1 ? `${one} was` : `${many} were`} written
      </AnswerHeading>
      <Group gap="md" mt="xs">
        {answer.transaction_id && (
          <Link
            to="/s/$sandbox/history"
            params={{ sandbox }}
            search={{ transaction_id: answer.transaction_id }}
          >
            See every change in the history
          </Link>
        )}
        <Link to={paths.list} params={{ sandbox }}>
          Open {many}
        </Link>
      </Group>
    </Alert>
  );
};
