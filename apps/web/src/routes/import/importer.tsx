import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { toApiError } from '../../api/api-error.ts';
import { useCommand } from '../../commands/use-command.ts';
import { ProgressDialog } from '../../components/dialogs/progress-dialog.tsx';
import { FormError } from '../../components/forms/form-error.tsx';
import { UnsavedGuard } from '../../components/forms/unsaved-guard.tsx';
import classes from './import.module.css';
import { ImportResult } from './import-result.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { SourceForm } from './source-form.tsx';
import type { Work } from './use-import.ts';
import { useImport } from './use-import.ts';
import { useSource } from './use-source.ts';

export const Importer = ({ sandbox }: { sandbox: string }) => {
  const source = useSource();
  const task = useImport(sandbox, source);
  const [problem, setProblem] = useState<string>();
  const check = () => {
    const found = source.findProblem();
    setProblem(found);
    if (!found) void task.check();
  };
  const onChange = () => {
    setProblem(undefined);
    task.forget();
  };
  useCommand({ label: 'Check the file', keys: 'mod+s', enabled: !task.checked, run: check });
  const isTyped = source.text.trim() !== '' || task.checked !== null;
  const isOutdated = task.error !== null && toApiError(task.error).code === 'import_outdated';
  return (
    <div className={classes.steps}>
      <SourceForm
        sandbox={sandbox}
        source={source}
        problem={problem}
        onChange={onChange}
        onCheck={check}
        isChecked={task.checked !== null}
      />
      <FormError error={task.error} fields={[]} />
      {isOutdated && (
        <Alert color="yellow" title="Somebody has changed this sandbox since the check">
          <p className={classes.hint}>
            Nothing was written. Check again to see what would happen now.
          </p>
          <Button variant="default" onClick={check}>
            Check again
          </Button>
        </Alert>
      )}
      {task.isUncertain && <Uncertain onCheck={check} />}
      {task.checked && (
        <PlanPanel sandbox={sandbox} source={source} checked={task.checked} onApply={task.apply} />
      )}
      {task.applied && <ImportResult sandbox={sandbox} kind={source.kind} answer={task.applied} />}
      <ImportProgress work={task.work} isDone={task.isDone} onCancel={task.cancel} />
      <UnsavedGuard isUnsaved={isTyped && task.applied === null} />
    </div>
  );
};

const Uncertain = ({ onCheck }: { onCheck: () => void }) => (
  <Alert color="yellow" title="Cancelled while the service was writing">
    <p className={classes.hint}>
      It applies all rows or none. Check again: if nothing is left to do, it had already finished.
    </p>
    <Button variant="default" onClick={onCheck}>
      Check again
    </Button>
  </Alert>
);

type ProgressProps = { work: Work | null; isDone: boolean; onCancel: () => void };

const ImportProgress = ({ work, isDone, onCancel }: ProgressProps) => {
  const isSending = work !== null && work.sent < work.total;
  const title = work?.step === 'apply' ? 'Applying …' : 'Checking …';
  return (
    <ProgressDialog
      opened={work !== null}
      title={isSending ? 'Sending the file …' : title}
      done={Math.ceil((work?.sent ?? 0) / 1024)}
      total={isSending ? Math.ceil(work.total / 1024) : undefined}
      unit="KiB"
      returnFocus={!isDone}
      onCancel={onCancel}
    />
  );
};
