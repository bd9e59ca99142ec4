import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './secret-box.module.css';

type SecretBoxProps = {
  /** What it is, for the name of the button: "key". */
  label: string;
  secret: string;
};

/** Something that is shown once, with a button that copies it. */
export const SecretBox = ({ label, secret }: SecretBoxProps) => (
  <div className={classes.box}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long values scroll, also for the keyboard. */}
    <code className={classes.secret} tabIndex={0}>
      {secret}
    </code>
    <CopyButton value={secret} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          data-autofocus
          leftSection={
            copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />
          }
          onClick={copy}
        >
          {copied ? 'Copied' : `Copy ${label}`}
        </Button>
      )}
    </CopyButton>
  </div>
);
