import {
  confirmEmail,
  deleteMyPhoto,
  type ProfileForm,
  putMyPhoto,
  type RequestOf,
  updateProfile,
} from '@cairn/gateway-contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '../../shared/api/client.ts'
import { sessionQueries } from '../sessions/index.ts'

/** Returns a function that reloads the user, so that the page shows the stored values. */
function useInvalidateMe() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: sessionQueries.all })
}

export function useUpdateProfile() {
  const onSuccess = useInvalidateMe()
  return useMutation({
    mutationFn: (body: ProfileForm) => call(updateProfile, { body }),
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
