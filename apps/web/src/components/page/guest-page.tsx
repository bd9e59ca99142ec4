// The frame of the pages in front of the sign-in: one card in the middle.
import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Wordmark } from '../../shell/wordmark.tsx';
import classes from './guest-page.module.css';
import { useDocumentTitle } from './use-document-title.ts';

export const GuestPage = ({ title, children }: { title: string; children: ReactNode }) => {
  useDocumentTitle(title);
  return (
    <div className={classes.page}>
      <header>
        <Wordmark />
      </header>
      <main className={classes.main}>
        <Paper className={classes.card} withBorder radius="md">
          <Title order={1} mb="md">
            {title}
          </Title>
          {children}
        </Paper>
      </main>
    </div>
  );
};
