type SelectBoxProps = {
  label: string
  isChecked: boolean
  /** True if some rows of the list are selected, but not all. */
  isMixed?: boolean
  onToggle: () => void
}

/**
 * A checkbox that selects a row or all rows of a list. Its click area is 28 px, because rows are
 * compact.
 */
export function SelectBox({ label, isChecked, isMixed = false, onToggle }: SelectBoxProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the label only keeps a click from opening the row; the checkbox has the keyboard.
    <label
      className="grid size-7 cursor-pointer place-items-center"
      onClick={(event) => event.stopPropagation()}
    >
      <input
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        ref={(box) => {
          if (box !== null) box.indeterminate = isMixed
        }}
        onChange={onToggle}
        className="size-4.5 accent-[var(--accent)]"
      />
    </label>
  )
}
