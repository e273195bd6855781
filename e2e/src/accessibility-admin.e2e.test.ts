import { testPagesOf } from './accessible-pages.ts'
import { useSharedSite } from './shared-site.ts'

useSharedSite()
testPagesOf('admin')
