// Imports Items or Xp tables from a file: its check, and the change set that it becomes.

import { Stack } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod';
import { requirePermission } from '../../../../api/me.ts';
import { SetPreview } from '../../../../features/change-sets/set-preview.tsx';
import { CheckPanel, ImportResult } from '../../../../features/import/import-plan.tsx';
import { SourceForm } from '../../../../features/import/import-source.tsx';
import type { Work } from '../../../../features/import/use-import.ts';
import { useImport, useSource } from '../../../../features/import/use-import.ts';
import { useCommand } from '../../../../ui/commands.ts';
import { ProgressDialog } from '../../../../ui/dialogs.tsx';
import { FormError, UnsavedGuard } from '../../../../ui/forms.tsx';
import { Page, PageRefused } from '../../../../ui/page.tsx';
import { explainPermissions } from '../../../../ui/permission-labels.ts';

const ImportSearch = z.object({
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
  const { checked, set, isApplying, madeSetId } = task;
  const [problem, setProblem] = useState<string>();
  const check = () => {
    const found = source.findProblem();
    setProblem(found);
    if (!found) task.check();
  };
  const onChange = () => {
    setProblem(undefined);
    task.forget();
  };
  useCommand({ label: 'Check the file', keys: 'mod+s', enabled: !checked, run: check });
  const isTyped = source.text.trim() !== '' || checked !== null;
  return (
    <Stack gap="md" maw="72rem" inert={isApplying}>
      <SourceForm
        source={source}
        problem={problem}
        onChange={onChange}
        onCheck={check}
        isChecked={checked !== null}
      />
      <FormError error={task.error} fields={[]} />
      {checked && (
        <section className="column" aria-label="Check">
          <CheckPanel source={source} checked={checked} onMap={task.check} />
          {set && (
            <SetPreview
              set={set}
              back="Discard"
              onDiscard={task.forget}
              onRelease={task.release}
              onApplying={task.setApplying}
            />
          )}
        </section>
      )}
      {madeSetId && <ImportResult sandbox={sandbox} kind={source.kind} changeSetId={madeSetId} />}
      <ImportProgress work={task.work} isDone={checked !== null} onCancel={task.cancel} />
      <UnsavedGuard isUnsaved={isTyped && !isApplying && madeSetId === undefined} />
    </Stack>
  );
};

type ProgressProps = { work: Work | null; isDone: boolean; onCancel: () => void };

const ImportProgress = ({ work, isDone, onCancel }: ProgressProps) => {
  const isSending = work !== null && work.sent < work.total;
  return (
    <ProgressDialog
      opened={work !== null}
      title={isSending ? 'Sending the file …' : 'Checking …'}
      done={Math.ceil((work?.sent ?? 0) / 1024)}
      total={isSending ? Math.ceil(work.total / 1024) : undefined}
      unit="KiB"
      returnFocus={!isDone}
      onCancel={onCancel}
    />
  );
};
