package org.example.wallet

import android.annotation.SuppressLint
import android.content.ComponentCallbacks2
import android.content.Context
import android.net.Uri
import android.os.Looper
import android.view.View
import android.view.ViewGroup
import android.webkit.RenderProcessGoneDetail
import android.webkit.WebResourceRequest
import android.webkit.WebResourceResponse
import android.webkit.WebView
import android.webkit.WebViewClient
import androidx.webkit.JavaScriptReplyProxy
import androidx.webkit.WebViewAssetLoader
import androidx.webkit.WebViewCompat
import androidx.webkit.WebViewFeature
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.suspendCancellableCoroutine
import org.json.JSONObject
import java.util.UUID
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException

/** A failure that the page told, by the codes of PippinError. */
class PippinException(val code: String, message: String, val hint: String?) : Exception(message)

/** Progress of a proof: from 0 to 1. It never decreases, also where the proof is begun again. */
data class ProofProgress(val fraction: Double, val phase: String, val attempt: Int)

/**
 * Shows the page of `examples/mobile-webview` and asks it for proofs. All methods are called on the main thread.
 *
 * `container` must be attached to a window: a WebView that is not may be treated as one in the background. One pixel is enough.
 */
class PippinWebView(
    private val context: Context,
    private val container: ViewGroup,
    private val onPaused: (id: String, reason: String) -> Unit = { _, _ -> },
) {
    private class Waiting(
        val request: String,
        val onProgress: (ProofProgress) -> Unit,
        val continuation: CancellableContinuation<JSONObject>,
        var asked: Int = 0,
        /** The fraction that was told. A page that was loaded again begins again, and does not fall behind it. */
        var reached: Double = 0.0,
        /** The last page that was asked. */
        var page: String? = null,
        var timeout: Runnable? = null,
    )

    private val waiting = LinkedHashMap<String, Waiting>()

    /**
     * By id, how many ends the page still tells of calls that were cancelled: a later call with the same id must not take them for its own. Each has two,
     * its own and the answer to `cancel`; ABORTED is both at once.
     */
    private val cancelledEnds = HashMap<String, Int>()
    private var webView: WebView? = null
    private var reply: JavaScriptReplyProxy? = null
    private var page: String? = null
    private var isVisible = true

    /** The app's assets, under an https origin: a secure context, in which modules, workers, fetch and IndexedDB work. With file: URLs they do not. */
    private val assets = WebViewAssetLoader.Builder()
        .addPathHandler("/assets/", WebViewAssetLoader.AssetsPathHandler(context))
        .build()

    fun start() {
        check(WebViewFeature.isFeatureSupported(WebViewFeature.WEB_MESSAGE_LISTENER)) {
            "expected a WebView with message listeners, got the older ${WebViewCompat.getCurrentWebViewPackage(context)?.versionName}"
        }
        val view = makeWebView()
        webView = view
        container.addView(view)
        view.loadUrl("$ORIGIN/assets/www/index.html")
    }

    /**
     * Proves, and suspends until the proof is there. Cancelling the coroutine cancels the proof. An app that may be killed in mid-proof keeps `id`
     * with its transaction and asks with it again.
     *
     * @return `proof` and `publicSignals` in snarkjs' form, and `backend`, `ms`, `attempts`.
     * @throws PippinException with the page's code; INVALID_ARGUMENT for an id that is not 1 to 128 letters, digits or `_.:-`, or is waited for already.
     */
    suspend fun prove(
        circuit: String,
        inputs: JSONObject,
        id: String = UUID.randomUUID().toString(),
        onProgress: (ProofProgress) -> Unit = {},
    ): JSONObject = suspendCancellableCoroutine { continuation ->
        // The page cannot read such an id, and would answer without one.
        if (!ID_PATTERN.matches(id)) {
            val hint = "use 1 to 128 letters, digits or characters of _.:-, such as a UUID"
            continuation.resumeWithException(PippinException("INVALID_ARGUMENT", "the id has another form than the page takes", hint))
            return@suspendCancellableCoroutine
        }
        val request = message("prove").put("id", id).put("circuit", circuit).put("inputs", inputs).toString()
        if (request.length > MAX_LENGTH) {
            continuation.resumeWithException(PippinException("INVALID_LENGTH", "the inputs are too long for a message", null))
            return@suspendCancellableCoroutine
        }
        if (waiting.containsKey(id)) {
            val failure = PippinException("INVALID_ARGUMENT", "this id is waited for already", "wait for the first call")
            continuation.resumeWithException(failure)
            return@suspendCancellableCoroutine
        }
        val entry = Waiting(request, onProgress, continuation)
        waiting[id] = entry
        continuation.invokeOnCancellation {
            // At once where it may be, so that the id is free when the caller goes on.
            if (Looper.myLooper() == Looper.getMainLooper()) cancel(id, entry) else container.post { cancel(id, entry) }
        }
        // A coroutine that had been cancelled before is told so at once.
        if (waiting[id] !== entry) return@suspendCancellableCoroutine
        if (page != null) ask(id, entry) else awaitPage(id, entry)
    }

    private fun cancel(id: String, entry: Waiting) {
        // Another call may wait for the id by now.
        if (waiting[id] !== entry) return
        take(id)
        if (page == null || entry.page != page) return
        cancelledEnds[id] = (cancelledEnds[id] ?: 0) + 2
        send(message("cancel").put("id", id))
    }

    /** Takes note of an end that the page tells; true if it is that of a call that was cancelled. */
    private fun isOfCancelled(id: String, code: String?): Boolean {
        val ends = cancelledEnds.remove(id) ?: return false
        val rest = ends - if (code == "ABORTED") 2 else 1
        if (rest > 0) cancelledEnds[id] = rest
        return true
    }

    /** From the activity's onStart and onStop. The page then goes by this, and not by whether its view can be seen. */
    fun setVisible(visible: Boolean) {
        isVisible = visible
        if (page != null) tellVisible() else awaitPage()
    }

    /** From onTrimMemory of the activity or the application. */
    fun trimMemory(level: Int) {
        // Since Android 14 the system tells UI_HIDDEN and BACKGROUND alone.
        if (level >= ComponentCallbacks2.TRIM_MEMORY_BACKGROUND) send(message("trim").put("level", "moderate"))
    }

    fun stop() {
        for (id in waiting.keys.toList()) take(id)?.continuation?.cancel()
        dropWebView()
    }

    @SuppressLint("SetJavaScriptEnabled") // The page is the app's own, and its content security policy lets no other script run.
    private fun makeWebView() = WebView(context).apply {
        settings.javaScriptEnabled = true
        // IndexedDB: prepared keys, and results that were made before the page was loaded again.
        settings.domStorageEnabled = true
        // The page needs no files and no content providers; off by default since Android 11.
        settings.allowFileAccess = false
        settings.allowContentAccess = false
        // Nothing to look at: the page may show its state, and does not have to.
        visibility = View.VISIBLE
        layoutParams = ViewGroup.LayoutParams(1, 1)
        webViewClient = Client()
        // Before loadUrl. Only pages of this origin get the object, and the origin is the app's own.
        WebViewCompat.addWebMessageListener(this, "pippinHost", setOf(ORIGIN)) { _, message, sourceOrigin, isMainFrame, proxy ->
            if (isMainFrame && sourceOrigin == Uri.parse(ORIGIN)) message.data?.let { receive(it, proxy) }
        }
        // WebView.setWebContentsDebuggingEnabled stays off in releases: DevTools see inputs.
    }

    private inner class Client : WebViewClient() {
        override fun shouldInterceptRequest(view: WebView, request: WebResourceRequest): WebResourceResponse? =
            assets.shouldInterceptRequest(request.url)

        /** The page leads nowhere else. */
        override fun shouldOverrideUrlLoading(view: WebView, request: WebResourceRequest): Boolean =
            !request.url.toString().startsWith("$ORIGIN/assets/")

        /** The page's process died or was killed for its memory. Without this the app would be ended, too. */
        override fun onRenderProcessGone(view: WebView, detail: RenderProcessGoneDetail): Boolean {
            dropWebView()
            start()
            return true
        }
    }

    private fun dropWebView() {
        leave()
        reply = null
        webView?.let {
            container.removeView(it)
            it.destroy()
        }
        webView = null
    }

    private fun receive(text: String, proxy: JavaScriptReplyProxy) {
        val message = JSONObject(text)
        if (message.optInt("pippin") != VERSION) return
        reply = proxy
        val id = message.optString("id")
        when (message.getString("type")) {
            "ready" -> onReady(message.getString("page"))
            "leaving" -> leave()
            "state" -> if (message.getString("state") == "paused") onPaused(id, message.optString("reason"))
            "progress" -> if (!cancelledEnds.containsKey(id)) {
                waiting[id]?.let {
                    it.reached = maxOf(it.reached, message.getDouble("fraction"))
                    it.onProgress(ProofProgress(it.reached, message.getString("phase"), message.getInt("attempt")))
                }
            }
            // One that nobody here has asked for yet stays with the page.
            "result" -> if (!isOfCancelled(id, null)) {
                take(id)?.let {
                    it.continuation.resume(message)
                    send(message("forget").put("id", id))
                }
            }
            "failed" -> if (!isOfCancelled(id, message.getString("code"))) {
                val hint = message.optString("hint").ifEmpty { null }
                val failure = PippinException(message.getString("code"), message.getString("message"), hint)
                take(id)?.continuation?.resumeWithException(failure)
            }
        }
    }

    private fun leave() {
        page = null
        cancelledEnds.clear()
        awaitPage()
    }

    /** What waits for a page gives up after a while. Time in the background does not count: the system may have stopped the page. */
    private fun awaitPage() {
        for ((id, entry) in waiting) awaitPage(id, entry)
    }

    private fun awaitPage(id: String, entry: Waiting) {
        container.removeCallbacks(entry.timeout)
        if (!isVisible) return
        val failure = PippinException("PROVER_LOST", "no page was ready in time", "see that the page loads and its script runs")
        entry.timeout = Runnable { take(id)?.continuation?.resumeWithException(failure) }
        container.postDelayed(entry.timeout, READY_MS)
    }

    /** A proof that is waited for no more. */
    private fun take(id: String): Waiting? = waiting.remove(id)?.also { container.removeCallbacks(it.timeout) }

    /** A new page is asked for all that is waited for: the ids say which proofs are the same. */
    private fun onReady(name: String) {
        if (name == page) return
        page = name
        cancelledEnds.clear()
        tellVisible()
        for ((id, entry) in waiting.entries.toList()) ask(id, entry)
    }

    private fun ask(id: String, entry: Waiting) {
        container.removeCallbacks(entry.timeout)
        entry.page = page
        if (entry.asked++ <= RESENDS) {
            reply?.postMessage(entry.request)
        } else {
            take(id)
            entry.continuation.resumeWithException(PippinException("INTERRUPTED", "the page was lost too often", null))
        }
    }

    private fun tellVisible() = send(message("visibility").put("visible", isVisible))

    private fun send(message: JSONObject) {
        if (page != null) reply?.postMessage(message.toString())
    }

    private fun message(type: String) = JSONObject().put("pippin", VERSION).put("type", type)

    private companion object {
        const val ORIGIN = "https://appassets.androidplatform.net"
        const val VERSION = 1
        const val MAX_LENGTH = 4_194_304
        val ID_PATTERN = Regex("[A-Za-z0-9_.:-]{1,128}")
        const val RESENDS = 2
        const val READY_MS = 60_000L
    }
}
