// The frame of every page behind the sign-in: title, actions, content.
import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './page.module.css';
import { usePageFocus } from './page-focus.ts';
import { useDocumentTitle } from './use-document-title.ts';

export type PageProps = {
  /** Names the page in its heading and in the browser's tab. */
  title: string;
  /** Stands above the heading: where this page belongs, as links. */
  above?: ReactNode;
  /** Stands beside the heading: tags, an id. */
  beside?: ReactNode;
  /** Buttons at the right. */
  actions?: ReactNode;
  /** `fill`: the page is as high as the window, and its table scrolls. `scroll` (default): the page scrolls. */
  layout?: 'scroll' | 'fill';
  children: ReactNode;
};

export const Page = ({ title, above, beside, actions, layout = 'scroll', children }: PageProps) => {
  useDocumentTitle(title);
  const heading = usePageFocus();
  return (
    <div className={classes.page} data-layout={layout}>
      <header className={classes.header}>
        <div className={classes.titles}>
          {above && <div className={classes.above}>{above}</div>}
          <Group gap="sm" wrap="wrap">
            <Title order={1} ref={heading} tabIndex={-1}>
              {title}
            </Title>
            {beside}
          </Group>
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </header>
      <div className={classes.content}>{children}</div>
    </div>
  );
};
