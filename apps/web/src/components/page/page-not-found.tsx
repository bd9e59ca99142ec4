import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../states/empty-state.tsx';
import { Page } from './page.tsx';

export const PageNotFound = () => (
  <Page title="There is no such page">
    <EmptyState title="This address leads nowhere">
      <Anchor component={Link} to="/">
        Go to the overview
      </Anchor>
    </EmptyState>
  </Page>
);
