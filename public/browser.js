// What the browser lacks, before anything else is loaded. In a syntax that every browser reads.
(function () {
  // For these the program loads src/polyfills, which has more. Current browsers have all of them.
  var functions = [
    "AbortSignal.any",
    "AbortSignal.timeout",
    "Array.fromAsync",
    "Array.prototype.findLast",
    "Array.prototype.findLastIndex",
    "Array.prototype.toReversed",
    "Array.prototype.toSorted",
    "Array.prototype.toSpliced",
    "Array.prototype.with",
    "ArrayBuffer.prototype.transfer",
    "Intl.Segmenter",
    "Iterator.prototype.map",
    "Map.groupBy",
    "Object.groupBy",
    "Promise.try",
    "Promise.withResolvers",
    "Set.prototype.isSubsetOf",
    "Set.prototype.union",
    "String.prototype.toWellFormed",
    "URL.canParse",
    "URL.parse",
    "Uint8Array.fromBase64",
    "structuredClone",
  ];

  function isMissing(path) {
    return !path.split(".").reduce(function (owner, name) {
      return owner && owner[name];
    }, window);
  }

  // Nothing can take the place of these. Chrome has all of them since 108, Firefox since 112, Safari since 16.4.
  function isTooOld() {
    try {
      new RegExp("(?<=a)b");
    } catch (_failure) {
      return true;
    }
    return !(
      window.HTMLElement &&
      "inert" in HTMLElement.prototype &&
      window.CSS &&
      CSS.supports("height", "1dvh")
    );
  }

  // Nothing after it is read: no style sheet, no program.
  function endDocument(chineseTitle, chineseText, englishTitle, englishText) {
    document.write(
      '<main style="padding: 24px; max-width: 36em; margin: 15vh auto; text-align: center; font-family: sans-serif">' +
        '<h1 lang="zh-Hans" style="font-size: 20px">' +
        chineseTitle +
        '</h1><p lang="zh-Hans">' +
        chineseText +
        '</p><h1 lang="en" style="font-size: 20px; margin-top: 24px">' +
        englishTitle +
        '</h1><p lang="en">' +
        englishText +
        '</p></main><plaintext style="display: none">'
    );
  }

  if (isTooOld()) {
    endDocument(
      "这个浏览器版本太旧",
      "课译需要 Chrome 或 Edge 109、Firefox 115、Safari 16.4 或更新的版本。请更新浏览器，或换一个浏览器打开此页。在 iPhone 和 iPad 上，请更新系统。",
      "This browser is too old",
      "Dualect needs Chrome or Edge 109, Firefox 115, Safari 16.4 or a later version. Update the browser, or open this page in another one. On an iPhone or iPad, update the system."
    );
    return;
  }

  var polyfills = document.currentScript.getAttribute("data-polyfills");
  if (!polyfills || !functions.some(isMissing)) return;
  // The program's own scripts begin after it.
  document.write('<script id="polyfills" src="' + polyfills + '"></script>');
  document.getElementById("polyfills").addEventListener("error", function () {
    endDocument(
      "课译未能加载",
      '请检查网络连接，然后<a href="">重新加载</a>。',
      "Dualect could not be loaded",
      'Check the connection, then <a href="">reload the page</a>.'
    );
  });
})();
