import { CircleCheck } from 'lucide-react'

import { ButtonLink } from '../../shared/ui/button.tsx'

export function FinalStep() {
  return (
    <div className="grid justify-items-center gap-3 py-8 text-center">
      <CircleCheck aria-hidden="true" className="size-12 text-success" />
      <h1 className="font-semibold font-serif text-28">Congratulations!</h1>
      <p className="text-16 text-muted">Your account has been created.</p>
      <ButtonLink to="/users/login" look="primary" size="large" className="mt-4">
        Close
      </ButtonLink>
    </div>
  )
}
