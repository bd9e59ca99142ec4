// The public history of a sandbox, requested exactly as other programs request it.

import { Stack } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { AnswerView, usePagination } from '../../../../features/public-api/answer-view.tsx';
import type { RequestFields } from '../../../../features/public-api/public-request.ts';
import {
  checkFields,
  toFieldProblems,
  toFields,
  toSearch,
} from '../../../../features/public-api/public-request.ts';
import { PublicSearch } from '../../../../features/public-api/public-search.ts';
import { RequestForm } from '../../../../features/public-api/request-form.tsx';
import { Page } from '../../../../ui/page.tsx';
import { EmptyState } from '../../../../ui/states.tsx';
import { useUrlChange } from '../../../../ui/url-state.tsx';

export const Route = createFileRoute('/_app/s/$sandbox/public')({
  validateSearch: PublicSearch,
  component: PublicPage,
});

function PublicPage() {
  const { sandbox } = Route.useParams();
  return (
    <Page title="Public view">
      <PublicHistory key={sandbox} sandbox={sandbox} />
    </Page>
  );
}

const PublicHistory = ({ sandbox }: { sandbox: string }) => {
  const search = Route.useSearch();
  const change = useUrlChange();
  const [fields, setFields] = useState(() => toFields(search));
  /** Only in the memory of this page. */
  const [token, setToken] = useState('');
  const [problems, setProblems] = useState<ReturnType<typeof checkFields>>({});
  const pages = usePagination(sandbox);
  const send = () => {
    const found = checkFields(fields);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    change(toSearch(fields));
    void pages.start({ fields, token: token.trim() || undefined });
  };
  const edit = (changes: Partial<RequestFields>) => setFields((old) => ({ ...old, ...changes }));
  return (
    <Stack gap="md" maw="72rem">
      <RequestForm
        fields={fields}
        token={token}
        problems={{ ...toFieldProblems(pages.answer?.error), ...problems }}
        problem={pages.problem}
        isBusy={pages.isBusy}
        onEdit={edit}
        onToken={setToken}
        onSend={send}
      />
      {pages.answer ? (
        <AnswerView pages={pages} answer={pages.answer} />
      ) : (
        <EmptyState title="See what games and tools get">
          Send the request to read the history of this sandbox as any program does, without your
          sign-in.
        </EmptyState>
      )}
    </Stack>
  );
};
