// The file or the text that is to be imported. Neither is lost by looking at the other, or by an error.
import { useState } from 'react';
import { ApiFailure } from '../../api/api-error.ts';
import { useUrlValues } from '../../components/url/url-state.ts';
import type { ImportFormat, ImportKind } from './import-kinds.ts';
import { FORMATS, recogniseFormat } from './import-kinds.ts';

/** As the service takes it. */
const MOST_BYTES = 64 * 1024 * 1024;

export type Source = ReturnType<typeof useSource>;

export const useSource = () => {
  const values = useUrlValues();
  const [file, setFile] = useState<File | null>(null);
  const [text, setText] = useState('');
  const isText = values.from === 'text';
  const chosen = values.format as ImportFormat | undefined;
  const recognised = recogniseFormat(isText ? '' : (file?.name ?? ''), isText ? text : '');
  return {
    kind: (values.kind ?? 'item') as ImportKind,
    isText,
    file,
    setFile,
    text,
    setText,
    format: chosen ?? recognised,
    isRecognised: chosen === undefined,
    /** There is something whose format could be recognised. */
    isGiven: isText ? text !== '' : file !== null,
    deletesMissing: values.missing === 'delete',
    /** Why it cannot be checked, in words for the field. */
    findProblem: (): string | undefined => {
      if (isText) return text.trim() === '' ? 'Paste the rows first.' : undefined;
      if (!file) return 'Choose a file first.';
      if (file.size > MOST_BYTES) return 'The file is larger than 64 MiB. Split it into parts.';
      return file.size === 0 ? 'The file is empty.' : undefined;
    },
    /** What is read here is what is checked and applied, even when the file changes on the disk meanwhile. */
    read: async (): Promise<Blob> => {
      if (isText || !file) return new Blob([text]);
      try {
        return new Blob([await file.arrayBuffer()]);
      } catch {
        throw unreadable(file.name);
      }
    },
    describe: (): string => (isText ? 'the pasted rows' : (file?.name ?? 'the file')),
    formatName: FORMATS[recognised],
  };
};

const unreadable = (name: string): ApiFailure =>
  new ApiFailure({
    code: 'page_error',
    desc: `${name} can no longer be read: it has changed or moved since it was chosen. Choose it again.`,
    status: 0,
    detail: [],
    facts: {},
  });
