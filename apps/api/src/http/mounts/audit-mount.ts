// GET /admin/audit/export: audit records as lines of JSON, for programs that follow the audit trail.
import { DateTimeInput, permits, text } from '@muster/contract';
import type { Express, Request, Response } from 'express';
import { z } from 'zod';
import type { AuditExport } from '../../admin/index.ts';
import { toAuditViewer } from '../../admin/index.ts';
import type { AuthenticateAdmin } from '../../auth/index.ts';
import { ServiceError } from '../../platform/index.ts';
import { leaseUntilClosed } from '../caller-limiter.ts';
import { COSTS } from '../limits.ts';
import type { Protection } from '../protection.ts';
import { enterRoute, localsOf, READ_METHODS } from '../request.ts';
import { parseQueryPart } from './transfer-mount.ts';

const AUDIT_EXPORT_PATH = '/admin/audit/export';

const AuditExportQuery = z.object({
  cursor: text(1, 65_536).optional(),
  from: DateTimeInput.optional(),
});

type AuditExportMount = {
  auditExport: Pick<AuditExport, 'read'>;
  authenticateAdmin: AuthenticateAdmin;
  protection: Pick<Protection, 'callers' | 'slots'>;
};

export const mountAuditExport = (app: Express, mount: AuditExportMount): void => {
  const { auditExport, authenticateAdmin, protection } = mount;
  app.use(AUDIT_EXPORT_PATH, async (request: Request, response: Response) => {
    enterRoute(request, response, AUDIT_EXPORT_PATH, READ_METHODS);
    if (request.path !== '/') throw new ServiceError('route_not_found');
    const caller = await authenticateAdmin(request);
    localsOf(response).caller = caller;
    leaseUntilClosed(protection.callers.enter(caller, COSTS.adminCall), response);
    if (!permits(caller.permissions, ['audit:view'])) {
      throw new ServiceError('insufficient_permissions');
    }
    const { cursor, from } = parseQueryPart(request, AuditExportQuery);
    await protection.slots.admin.run(response, async () => {
      const since = from === undefined ? undefined : new Date(from);
      const page = await auditExport.read(cursor, since, toAuditViewer(caller));
      response.setHeader('Content-Type', 'application/x-ndjson; charset=utf-8');
      response.setHeader('Muster-Cursor', page.cursor);
      if (page.hasMore) response.setHeader('Muster-More', 'true');
      response.end(page.records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    });
  });
};
