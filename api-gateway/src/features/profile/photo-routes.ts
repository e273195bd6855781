import { deleteMyPhoto, getUserPhoto, putMyPhoto } from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { BlobStore } from '../../platform/files/blob-store.ts'
import { createInvalidFieldFailure, createNotFoundFailure } from '../../platform/http/failure.ts'
import {
  createFileRoute,
  declareRoute,
  getCaller,
  type Route,
} from '../../platform/http/registry.ts'
import { getUserRow, presentUser, requirePresentableUser } from '../users/index.ts'

export function createPhotoRoutes(deps: Dependencies, blobs: BlobStore): readonly Route[] {
  return [
    declareRoute(
      putMyPhoto,
      { rate: 'write', owner: 'own', audit: 'user.photo' },
      async (_request, exchange) => {
        const { userId: ownerId } = getCaller(exchange)
        const { file, nowMs } = exchange
        if (file === null) throw createInvalidFieldFailure('photo', 'Please choose a picture')
        await requirePresentableUser(deps, await getUserRow(deps.db, ownerId))
        const { bytes: received } = file
        const { id } = await blobs.put({ ownerId, purpose: 'photo', received, nowMs })
        await setPhoto(deps, { userId: ownerId, photoId: id, nowMs })
        exchange.note({ subject: ownerId })
        return { user: await presentUser(deps, await getUserRow(deps.db, ownerId)) }
      },
    ),
    declareRoute(
      deleteMyPhoto,
      { rate: 'write', owner: 'own', audit: 'user.photo' },
      async (_request, exchange) => {
        const { userId } = getCaller(exchange)
        await setPhoto(deps, { userId, photoId: null, nowMs: exchange.nowMs })
        exchange.note({ subject: userId })
        return null
      },
    ),
    createFileRoute(
      getUserPhoto,
      { rate: 'read', owner: 'own-or-admin', audit: null },
      async ({ params }, exchange) => {
        const { userId, permissions } = getCaller(exchange)
        const isAllowed = permissions.has('contacts.read') || params.id === userId
        const photoId = isAllowed ? (await getUserRow(deps.db, params.id)).photo_id : null
        const file = photoId === null ? null : await blobs.find(photoId)
        if (file === null) throw createNotFoundFailure('There is no such picture')
        const { mediaType, bytes } = file
        return { mediaType, bytes, fileName: 'photo' }
      },
    ),
  ]
}

async function setPhoto(
  { db }: Dependencies,
  { userId, photoId, nowMs }: { userId: string; photoId: string | null; nowMs: number },
): Promise<void> {
  await db
    .updateTable('identity.user')
    .set({ photo_id: photoId, updated_at: new Date(nowMs) })
    .where('id', '=', userId)
    // A picture that is uploaded during the deletion of the user stays unreferenced and is swept.
    .where('deleted_at', 'is', null)
    .execute()
}
