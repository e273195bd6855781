import { ButtonLink } from '../../shared/ui/button.tsx'
import { CairnMark } from '../../shared/ui/cairn-mark.tsx'
import { usePageTitle } from '../../shared/ui/page-title.ts'

/** Replaces a page that the roles of the administrator do not cover. */
export function NoAccessPage() {
  usePageTitle('No access')
  return (
    <div className="mx-auto grid min-h-[60dvh] max-w-xl place-content-center justify-items-center gap-4 px-6 py-16 text-center">
      <CairnMark className="size-16" />
      <h1 className="font-semibold font-serif text-28">You do not have access</h1>
      <p className="text-16 text-muted">
        Your roles do not include the permission for this page. An owner can change your roles.
      </p>
      <ButtonLink to="/manage/admin/account" look="primary">
        Your account
      </ButtonLink>
    </div>
  )
}
