import { getErrorMessage } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { notifyError, notifySuccess } from '../../shared/ui/notify.ts'
import { useTestMail } from './admin-queries.ts'

/** Sends a test mail to the administrator with the saved settings. */
export function TestMail() {
  const test = useTestMail()
  const send = () =>
    test.mutate(undefined, {
      onSuccess: ({ sentTo }) => notifySuccess(`A test email is being sent to ${sentTo}.`),
      onError: (error) => notifyError(getErrorMessage(error, 'The test email could not be sent.')),
    })
  return (
    <div className="grid content-start gap-1.5">
      <Button className="w-fit" pending={test.isPending} onClick={send}>
        Send test email
      </Button>
      <p className="text-12 text-muted">Sent to your own address with the saved settings.</p>
    </div>
  )
}
