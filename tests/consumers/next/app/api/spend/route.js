import { spendFromFiles } from '../../../from-files.js';

export const dynamic = 'force-dynamic';

export async function GET() {
  return Response.json(await spendFromFiles());
}
