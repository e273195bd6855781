import { testPagesOfVisitor } from './accessible-pages.ts'
import { useSharedSite } from './shared-site.ts'

useSharedSite()
testPagesOfVisitor('investor')
