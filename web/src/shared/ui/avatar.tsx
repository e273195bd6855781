import { joinClasses } from './join-classes.ts'

const NO_PHOTO = 'default.png'

/**
 * Shows the photo, or the initial if the user has no photo. The photo has no accessible name,
 * because the name of the user is beside it or labels its button.
 */
export function Avatar({
  name,
  photo = NO_PHOTO,
  className,
}: {
  name: string
  photo?: string | undefined
  className?: string
}) {
  if (photo !== '' && photo !== NO_PHOTO) {
    return (
      <img
        src={photo}
        alt=""
        className={joinClasses('size-9 rounded-full object-cover', className)}
      />
    )
  }
  return (
    <span
      aria-hidden="true"
      className={joinClasses(
        'flex size-9 shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold text-14 text-accent',
        className,
      )}
    >
      {(name.trim()[0] ?? '?').toUpperCase()}
    </span>
  )
}
