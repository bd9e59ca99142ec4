import { Box, Button, CopyButton, Group } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { MouseEvent } from 'react';
import classes from './copyable.module.css';
import { Icon } from './icons.tsx';
import { shortenId } from './ids.ts';

type CopyableIdProps = {
  id: string;
  /** The name of the id, for the button's label: "item id". */
  label?: string;
  /** Shows only the distinguishing part of the id. The button copies the whole id, which hover and focus show. */
  short?: boolean;
  /** Shows only the button, for use beside a name. */
  iconOnly?: boolean;
};

const COPIED_MS = 1500;

export const CopyableId = ({
  id,
  label = 'id',
  short = false,
  iconOnly = false,
}: CopyableIdProps) => {
  const { copied, copy } = useClipboard({ timeout: COPIED_MS });
  const shown = short || iconOnly ? shortenId(id) : id;
  const onClick = (event: MouseEvent) => {
    event.stopPropagation();
    event.preventDefault();
    copy(id);
  };
  return (
    <button
      type="button"
      className={classes.id}
      data-icon-only={iconOnly || undefined}
      data-hint={(copied && 'Copied') || (shown === id && !iconOnly ? 'Copy' : id)}
      aria-label={`Copy ${label} ${shown}`}
      onClick={onClick}
    >
      {!iconOnly && <span className="ellipsis">{shown}</span>}
      <Icon name={copied ? 'check' : 'copy'} size={12} />
    </button>
  );
};

type CopyTextProps = {
  /** The name of the content, for the button's label: "JSON". */
  label: string;
  text: string;
};

/** Copies a text that is shown elsewhere on the page. */
export const CopyText = ({ label, text }: CopyTextProps) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <Button variant="default" onClick={copy}>
        {copied ? 'Copied' : `Copy ${label}`}
      </Button>
    )}
  </CopyButton>
);

type SecretBoxProps = {
  /** The name of the content, for the button's label: "key". */
  label: string;
  secret: string;
};

/** A secret that is shown only once, with a button that copies it. */
export const SecretBox = ({ label, secret }: SecretBoxProps) => (
  <Group gap={8} p={8} bd="1px solid var(--muster-line)" bdrs={6} bg="var(--muster-panel)">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long values scroll, also for the keyboard. */}
    <code className={classes.secret} tabIndex={0}>
      {secret}
    </code>
    <CopyButton value={secret} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          data-autofocus
          leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
          onClick={copy}
        >
          {copied ? 'Copied' : `Copy ${label}`}
        </Button>
      )}
    </CopyButton>
  </Group>
);

type JsonBlockProps = {
  /** The name of the content, for the button's label: "request". */
  label: string;
  /** A text, or a value to format as JSON. */
  value: unknown;
};

/** Code or JSON, with a button that copies it. */
export const JsonBlock = ({ label, value }: JsonBlockProps) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <Box pos="relative" miw={0}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls by keyboard as well. */}
      <section className={classes.jsonBlockText} tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <CopyButton value={text} timeout={1500}>
        {({ copied, copy }) => (
          <Button
            pos="absolute"
            top={6}
            right={14}
            variant="default"
            size="compact-xs"
            aria-label={`Copy ${label}`}
            onClick={copy}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Box>
  );
};
