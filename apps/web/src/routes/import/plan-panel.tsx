// What the service says it would do with the file; nothing is written yet.
import { useEffect, useRef } from 'react';
import { usePermission } from '../../access/me.ts';
import { useSandbox } from '../../access/sandboxes.ts';
import { ApprovalForm } from '../../features/planned-changes/approval-form.tsx';
import { PlannedList } from '../../features/planned-changes/planned-list.tsx';
import classes from './import.module.css';
import type { ImportAnswer } from './import-answer.ts';
import { countChanges } from './import-answer.ts';
import { KINDS } from './import-kinds.ts';
import { PlanCounts } from './plan-counts.tsx';
import { ProblemList } from './problem-list.tsx';
import type { Checked, Import } from './use-import.ts';
import { usePlannedRows } from './use-planned-rows.ts';
import type { Source } from './use-source.ts';

type PlanPanelProps = {
  sandbox: string;
  source: Source;
  checked: Checked;
  onApply: Import['apply'];
};

export const PlanPanel = ({ sandbox, source, checked, onApply }: PlanPanelProps) => {
  const { answer } = checked;
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new answer takes the focus.
  useEffect(() => heading.current?.focus(), [answer]);
  const total = countChanges(answer);
  return (
    <section className={classes.plan} aria-labelledby="plan">
      <h2 id="plan" ref={heading} tabIndex={-1} className={classes.heading}>
        {describe(answer, total, source)}
      </h2>
      {answer.error_count > 0 ? (
        <ProblemList answer={answer} />
      ) : (
        <>
          <PlanCounts counts={answer.counts} />
          {total > 0 && (
            <>
              <Changes key={answer.plan_digest} checked={checked} />
              <Approval sandbox={sandbox} kind={source.kind} answer={answer} onApply={onApply} />
            </>
          )}
        </>
      )}
    </section>
  );
};

/** All of them, however long the plan is. */
const Changes = ({ checked }: { checked: Checked }) => (
  <PlannedList label="Changes" rows={usePlannedRows(checked)} hasRows />
);

const describe = ({ error_count }: ImportAnswer, total: number, source: Source): string => {
  const what = source.describe();
  if (error_count > 0) {
    return `${count(error_count)} ${error_count === 1 ? 'problem' : 'problems'} in ${what}; nothing can be imported yet`;
  }
  if (total === 0) return `Nothing to do: ${what} says what is already there`;
  return `What ${what} would do`;
};

const count = (value: number): string => value.toLocaleString('en');

type ApprovalProps = Pick<PlanPanelProps, 'sandbox' | 'onApply'> & {
  answer: ImportAnswer;
  kind: Source['kind'];
};

const Approval = ({ sandbox: id, kind, answer, onApply }: ApprovalProps) => {
  const sandbox = useSandbox(id);
  const mayAdminister = usePermission(['sandbox:*'], id);
  if (!sandbox) return null;
  const { counts } = answer;
  // A record that comes back with other values counts as changed; only the service knows which do.
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
      brought back, <strong>{count(counts.delete)} deleted</strong>. Every one of these{' '}
      {KINDS[kind].many} can be restored from its history.
    </ApprovalForm>
  );
};
