import type { TableName, TableSettings } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../shared/ui/button.tsx'
import { Menu, MenuCheckbox, MenuItem, MenuLabel, MenuSeparator } from '../../shared/ui/menu.tsx'
import { useNarrowScreen } from '../../shared/ui/narrow-screen.ts'
import { type Column, DEFAULT_SORT } from '../../shared/ui/table-column.tsx'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { preferenceQueries, useSavePreferences } from './queries.ts'
import { SavedViewsDialog } from './saved-views-dialog.tsx'
import { readLayout, toLayoutChange } from './table-layout.ts'
import { readViewSearch } from './view-search.ts'

const UNCHANGED: TableSettings = { hidden: [], isCompact: false, views: [] }

type Table<Row> = { columns: readonly Column<Row>[]; isCompact: boolean; menu: ReactNode }

type TableOptions = {
  /** The name of the list for the button. It is needed only if a page has several lists. */
  what?: string
  /** False if the URL contains neither a filter nor an order of the list, so a view would be empty. */
  hasViews?: boolean
}

/**
 * Returns the visible columns of a list, its density, and the menu that changes the columns and the
 * density. The account stores the user's choices.
 */
export function useTable<Row>(
  name: TableName,
  columns: readonly Column<Row>[],
  options: TableOptions = {},
): Table<Row> {
  const { data } = useQuery(preferenceQueries.readOwnPreferences())
  const save = useSavePreferences()
  // Only while they are saved. Afterwards, a view that another tab has saved would be missing.
  const asked = save.isPending ? readLayout(save.variables, name) : undefined
  const settings = asked ?? readLayout(data, name) ?? UNCHANGED
  const change = (part: Partial<TableSettings>) =>
    save.mutateAsync(toLayoutChange(name, { ...settings, ...part }))
  return {
    columns: columns.filter(({ id }) => !settings.hidden.includes(id)),
    isCompact: settings.isCompact,
    menu: <TableMenu {...options} columns={columns} settings={settings} onChange={change} />,
  }
}

type MenuProps<Row> = TableOptions & {
  columns: readonly Column<Row>[]
  settings: TableSettings
  onChange: (part: Partial<TableSettings>) => Promise<unknown>
}

function TableMenu<Row>(props: MenuProps<Row>) {
  const { columns, settings, onChange, what, hasViews = true } = props
  const [isSaving, setSaving] = useState(false)
  const [search, setSearch] = useSearchParams()
  // A narrow screen shows no columns.
  const isNarrow = useNarrowScreen()
  const { views } = settings
  const hasOrder = columns.some(({ sort }) => sort !== undefined)
  if (isNarrow && !hasViews && !hasOrder) return null
  return (
    <>
      <Menu
        trigger={
          <Button
            size="small"
            look="quiet"
            aria-label={what === undefined ? undefined : `View of ${what}`}
            className="print:hidden"
          >
            <SlidersHorizontal aria-hidden="true" className="size-4" />
            View
          </Button>
        }
      >
        {hasViews && (
          <>
            {views.length > 0 && <MenuLabel>Saved views</MenuLabel>}
            {views.map((view) => (
              <MenuItem key={view.name} onSelect={() => setSearch(view.search)}>
                <span className="max-w-64 truncate">{view.name}</span>
              </MenuItem>
            ))}
            <MenuItem onSelect={() => setSaving(true)}>Save or remove views</MenuItem>
          </>
        )}
        {hasViews && hasOrder && <MenuSeparator />}
        {hasOrder && <SortItems columns={columns} />}
        {!isNarrow && (hasViews || hasOrder) && <MenuSeparator />}
        {!isNarrow && <LayoutItems {...props} />}
      </Menu>
      <SavedViewsDialog
        isOpen={isSaving}
        views={views}
        search={readViewSearch(search)}
        onChange={(next) => onChange({ views: [...next] })}
        onClose={() => setSaving(false)}
      />
    </>
  )
}

/** Chooses the columns and the density. */
function LayoutItems<Row>({ columns, settings, onChange }: MenuProps<Row>) {
  const { hidden, isCompact } = settings
  const change = (part: Partial<TableSettings>) => void onChange(part).catch(() => {})
  // The first column names the row, so it is always shown.
  const optional = columns.slice(1)
  return (
    <>
      <MenuLabel>Columns</MenuLabel>
      {optional.map(({ id, header }) => (
        <MenuCheckbox
          key={id}
          isChecked={!hidden.includes(id)}
          onChange={(isShown) =>
            change({
              hidden: isShown ? hidden.filter((each) => each !== id) : [...hidden, id],
            })
          }
        >
          {header}
        </MenuCheckbox>
      ))}
      <MenuSeparator />
      <MenuCheckbox isChecked={isCompact} onChange={(is) => change({ isCompact: is })}>
        Compact rows
      </MenuCheckbox>
    </>
  )
}

/** Sorts the list. The menu also sorts on a phone, where the list has no header. */
function SortItems<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  const [search] = useSearchParams()
  const url = useUrlState()
  const current = search.get('sort') ?? DEFAULT_SORT
  const sorted = columns.flatMap(({ header, sort }) =>
    sort === undefined
      ? []
      : [
          { value: `-${sort}`, words: `${header}, descending` },
          { value: sort, words: `${header}, ascending` },
        ],
  )
  return (
    <>
      <MenuLabel>Sort by</MenuLabel>
      {sorted.map(({ value, words }) => (
        <MenuCheckbox
          key={value}
          isChecked={current === value}
          onChange={() => url.set({ sort: value === DEFAULT_SORT ? null : value, page: null })}
        >
          {words}
        </MenuCheckbox>
      ))}
    </>
  )
}
