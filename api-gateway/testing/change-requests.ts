import type { ChangeDetail, ChangeSummary } from '@cairn/gateway-contracts'
import { type Reply, send, type TestGateway, type Visitor } from './test-gateway.ts'

/** Returns the change request in an answer 409 `CHANGE_REQUESTED`. Throws for any other answer. */
export function getRequestedChange({ status, body }: Reply): ChangeSummary {
  if (status !== 409 || body.code !== 'CHANGE_REQUESTED') {
    throw new Error(`${status} ${JSON.stringify(body)}`)
  }
  // The cast is safe because an answer with this code has a change request.
  return (body.data as unknown as { changeRequest: ChangeSummary }).changeRequest
}

export async function readChange(
  gateway: Pick<TestGateway, 'url'>,
  visitor: Visitor,
  id: string,
): Promise<ChangeDetail> {
  const path = `/admin/approvals/${id}`
  const { body } = await send(gateway, visitor, { method: 'GET', path })
  // The cast is safe because the contract of this endpoint has this type.
  return (body.data as unknown as { changeRequest: ChangeDetail }).changeRequest
}

/** Approves the change request with the hash that this administrator sees. */
export async function approveChange(
  gateway: Pick<TestGateway, 'url'>,
  visitor: Visitor,
  id: string,
): Promise<Reply> {
  const { payloadSha256 } = await readChange(gateway, visitor, id)
  const path = `/admin/approvals/${id}/approve`
  return send(gateway, visitor, { method: 'POST', path, body: { payloadSha256 } })
}
