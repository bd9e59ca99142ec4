// Imports Items or Xp tables from a file: check, review, then apply in one transaction.

import { Alert, Box, Button, Stack } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod';
import { toApiError } from '../../../../api/errors.ts';
import { requirePermission } from '../../../../api/me.ts';
import { ImportResult, PlanPanel } from '../../../../features/import/import-plan.tsx';
import { SourceForm } from '../../../../features/import/import-source.tsx';
import type { Work } from '../../../../features/import/use-import.ts';
import { useImport, useSource } from '../../../../features/import/use-import.ts';
import { useCommand } from '../../../../ui/commands.ts';
import { ProgressDialog } from '../../../../ui/dialogs.tsx';
import { FormError, UnsavedGuard } from '../../../../ui/forms.tsx';
import { Page, PageRefused } from '../../../../ui/page.tsx';
import { explainPermissions } from '../../../../ui/permission-labels.ts';
import { tableSearchFields } from '../../../../ui/url-state.tsx';

const ImportSearch = z.object({
  ...tableSearchFields,
  /** Absent: Items. */
  kind: z.literal('xp').optional().catch(undefined),
  /** Absent: a file. */
  from: z.literal('text').optional().catch(undefined),
  /** Absent: detected by the file name or the first character. */
  format: z.enum(['csv', 'ndjson']).optional().catch(undefined),
  /** `delete`: deletes the records that the file lacks. */
  missing: z.literal('delete').optional().catch(undefined),
});

export const Route = createFileRoute('/_app/s/$sandbox/import')({
  validateSearch: ImportSearch,
  beforeLoad: ({ context, params }) =>
    requirePermission(context.me, ['sandbox:config:edit'], params.sandbox),
  component: ImportPage,
  notFoundComponent: () => (
    <PageRefused title="Import" refusal="Your account may not import here">
      {explainPermissions(['sandbox:config:edit'])}
    </PageRefused>
  ),
});

function ImportPage() {
  const { sandbox } = Route.useParams();
  return (
    <Page title="Import">
      <Importer key={sandbox} sandbox={sandbox} />
    </Page>
  );
}

const Importer = ({ sandbox }: { sandbox: string }) => {
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
    <Stack gap="md" maw="72rem">
      <SourceForm
        source={source}
        problem={problem}
        onChange={onChange}
        onCheck={check}
        isChecked={task.checked !== null}
      />
      <FormError error={task.error} fields={[]} />
      {isOutdated && (
        <Alert color="yellow" title="This sandbox has changed since the check">
          <Box component="p" className="hint" mb="xs">
            Nothing was written. Check again to see what would happen now.
          </Box>
          <Button variant="default" onClick={check}>
            Check again
          </Button>
        </Alert>
      )}
      {task.isCancelled && !task.doubt && (
        <Alert color="gray" title="Cancelled: nothing was written" role="status" />
      )}
      {task.doubt === 'asking' && (
        <Alert
          color="gray"
          title={`${describeStop(task.isCancelled)}. Finding out whether the file was applied …`}
          role="status"
        />
      )}
      {task.doubt === 'unknown' && <Unknown isCancelled={task.isCancelled} onCheck={check} />}
      {task.checked && (
        <PlanPanel
          source={source}
          checked={task.checked}
          onApply={task.apply}
          onMap={(mapping) => void task.check(mapping)}
        />
      )}
      {task.applied && <ImportResult kind={source.kind} answer={task.applied} />}
      <ImportProgress work={task.work} isDone={task.isDone} onCancel={task.cancel} />
      <UnsavedGuard isUnsaved={isTyped && task.applied === null} />
    </Stack>
  );
};

const describeStop = (isCancelled: boolean): string =>
  isCancelled ? 'Cancelled' : "The service's answer was lost";

type UnknownProps = { isCancelled: boolean; onCheck: () => void };

/** The service is unreachable, or may still process the request behind a proxy. */
const Unknown = ({ isCancelled, onCheck }: UnknownProps) => (
  <Alert color="yellow" title={`${describeStop(isCancelled)}: the file may have been applied`}>
    <Box component="p" className="hint" mb="xs">
      {isCancelled && 'The service could not be reached to find out. '}
      It applies all rows or none. Check again: if nothing is left to do, it was applied.
    </Box>
    <Button variant="default" onClick={onCheck}>
      Check again
    </Button>
  </Alert>
);

type ProgressProps = { work: Work | null; isDone: boolean; onCancel?: () => void };

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
