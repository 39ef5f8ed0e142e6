# SPDX-License-Identifier: GPL-2.0-or-later
# The scripts of the pages, read by eslint as they run: the files of one page as one script. Without eslint: that node reads them.
# needs: node
# fetch: interop/fetch-eslint
# timeout: 120
src=$TOP/src/picture
mkdir pages
page() { local name=$1 f; shift; for f; do cat "$f"; echo; done >"pages/$name.js"; listed+=("$@"); }
listed=()
page flame "$src/flame/model.js" "$src/flame/view.js"
page flame-svg "$src/flame/svg.js"
page timeline "$src/timeline/model.js" "$src/timeline/draw.js" "$src/timeline/page.js"
same "$(printf '%s\n' "${listed[@]}" | sort)" "$(find "$src" -name '*.js' | sort)" "a script belongs to no page of this test"
cp "$TOP/tests/browser.js" pages/browser.cjs
for f in pages/*; do run node --check "$f"; ok; done
eslint=$("$TOP/tests/interop/fetch-eslint" 2>"$T/err") || skip "node reads them; $(sed -n 's/^SKIP: //p' "$T/err")"
cat >eslint.config.cjs <<'E'
const js = require(process.env.ESLINT + '/node_modules/@eslint/js');
const known = (words) => Object.fromEntries(words.split(' ').map((w) => [w, 'readonly']));
const rules = { eqeqeq: 'error', 'no-var': 'error', 'prefer-const': 'error', 'no-eval': 'error', 'no-implied-eval': 'error', 'no-new-func': 'error',
	'no-unused-vars': ['error', { vars: 'local' }] };
module.exports = [
	{ ...js.configs.recommended, files: ['pages/*.js', 'pages/*.cjs'] },
	{ files: ['pages/*.js'], rules, languageOptions: { ecmaVersion: 2022, sourceType: 'script', globals: known('document window globalThis location '
		+ 'history devicePixelRatio ResizeObserver requestAnimationFrame matchMedia innerWidth innerHeight addEventListener TextDecoder Blob Response '
		+ 'DecompressionStream URLSearchParams atob getComputedStyle Option setTimeout clearTimeout prompt performance console') } },
	{ files: ['pages/*.cjs'], rules, languageOptions: { ecmaVersion: 2022, sourceType: 'commonjs',
		globals: known('process Buffer setTimeout console require module') } },
];
E
ESLINT=$eslint run "$eslint/node_modules/.bin/eslint" -c eslint.config.cjs pages; ok; same "$out" ''
