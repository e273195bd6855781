import { Toaster as Sonner } from 'sonner'

/**
 * Success messages close by themselves, but not while the pointer is over them. Errors stay until
 * the user closes them.
 */
export function Toaster() {
  return (
    <Sonner
      position="top-center"
      duration={5000}
      closeButton
      toastOptions={{
        classNames: {
          toast:
            '!rounded-card !border !border-line !bg-surface !font-sans !text-14 !text-ink !shadow-raised',
          closeButton: '!border-line !bg-surface !text-ink',
        },
      }}
    />
  )
}
