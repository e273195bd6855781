import {
  confirmEmail,
  deleteMyPhoto,
  getMe,
  putMyPhoto,
  type RequestOf,
  updateProfile,
} from '@cairn/gateway-contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '../../shared/api/client.ts'
import { sessionQueries } from '../sessions/index.ts'
import { type ProfileFields, toProfileRequest } from './profile-request.ts'

/** Returns a function that reloads the user, so that the page shows the stored values. */
function useInvalidateMe() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: sessionQueries.all })
}

/** Saves the changed fields. The others repeat what is stored now, see `toProfileRequest`. */
export function useUpdateProfile() {
  const onSuccess = useInvalidateMe()
  return useMutation({
    mutationFn: async (changes: Partial<ProfileFields>) => {
      const { user } = await call(getMe)
      return call(updateProfile, { body: toProfileRequest(user, changes) })
    },
    onSuccess,
  })
}

export function useConfirmEmail() {
  const onSuccess = useInvalidateMe()
  return useMutation({
    mutationFn: (body: RequestOf<typeof confirmEmail>['body']) => call(confirmEmail, { body }),
    onSuccess,
  })
}

export function usePutPhoto() {
  const onSuccess = useInvalidateMe()
  return useMutation({
    mutationFn: (file: File) => call(putMyPhoto, { body: {}, file }),
    onSuccess,
  })
}

export function useDeletePhoto() {
  const onSuccess = useInvalidateMe()
  return useMutation({ mutationFn: () => call(deleteMyPhoto), onSuccess })
}
