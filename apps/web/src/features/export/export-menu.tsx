// The menu of a list that is exported as a file.
import { Button, Menu } from '@mantine/core';
import { useRef, useState } from 'react';
import { notifyError } from '../../api/notify.ts';
import { ProgressDialog } from '../../ui/dialogs.tsx';
import type { ImportKind } from '../import/import-file.ts';

const LINKS = { csv: 'CSV, for spreadsheets', ndjson: 'NDJSON, for programs' } as const;

type ExportFormat = keyof typeof LINKS;

type ExportedList = {
  kind: ImportKind;
  /** What the file contains. */
  label: string;
  toUrl: (format: ExportFormat) => string;
  /** The number of rows, if it is known. */
  total?: number | undefined;
};

export type ExportMenuProps = {
  lists: readonly ExportedList[];
  isDisabled?: boolean;
};

export const ExportMenu = ({ lists, isDisabled = false }: ExportMenuProps) => {
  const workbook = useWorkbook();
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" disabled={isDisabled}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {lists.map((list) => (
            <div key={list.kind}>
              <Menu.Label>{list.label}</Menu.Label>
              <Menu.Item onClick={() => void workbook.start(list)}>
                Excel workbook (.xlsx)
              </Menu.Item>
              {(Object.keys(LINKS) as ExportFormat[]).map((format) => (
                <Menu.Item key={format} component="a" href={list.toUrl(format)} download>
                  {LINKS[format]}
                </Menu.Item>
              ))}
            </div>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ProgressDialog
        opened={workbook.running !== null}
        title="Export as a workbook"
        done={workbook.running?.rows ?? 0}
        total={workbook.running?.total}
        unit="rows"
        onCancel={workbook.cancel}
      />
    </>
  );
};

type Running = { rows: number; total: number | undefined };

const useWorkbook = () => {
  const [running, setRunning] = useState<Running | null>(null);
  const leaving = useRef<AbortController | null>(null);
  const start = async ({ kind, toUrl, total }: ExportedList) => {
    const controller = new AbortController();
    const { signal } = controller;
    leaving.current = controller;
    setRunning({ rows: 0, total });
    try {
      const { exportWorkbook } = await import('./export-workbook.ts');
      const onProgress = (rows: number) => setRunning({ rows, total });
      await exportWorkbook({ kind, url: toUrl('ndjson'), signal, onProgress });
    } catch (error) {
      if (!signal.aborted) notifyError(error);
    } finally {
      setRunning(null);
    }
  };
  return { running, start, cancel: () => leaving.current?.abort() };
};
