package org.example.wallet

import android.os.Bundle
import android.widget.Button
import android.widget.FrameLayout
import android.widget.LinearLayout
import android.widget.TextView
import androidx.activity.ComponentActivity
import androidx.lifecycle.lifecycleScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import org.json.JSONObject

/** One button that proves, and one that cancels. */
class MainActivity : ComponentActivity() {
    private lateinit var prover: PippinWebView
    private var proof: Job? = null

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        val place = FrameLayout(this)
        val state = TextView(this)
        val prove = Button(this).apply { text = "Prove" }
        val cancel = Button(this).apply { text = "Cancel" }
        setContentView(
            LinearLayout(this).apply {
                orientation = LinearLayout.VERTICAL
                for (view in listOf(prove, cancel, state, place)) addView(view)
            },
        )
        prover = PippinWebView(this, place, onPaused = { _, reason -> state.text = "Paused: $reason" })
        prover.start()
        prove.setOnClickListener { proof = lifecycleScope.launch { state.text = proveNote { state.text = it } } }
        cancel.setOnClickListener { proof?.cancel() }
    }

    private suspend fun proveNote(onText: (String) -> Unit): String = try {
        val inputs = JSONObject(assets.open("input.json").bufferedReader().use { it.readText() })
        val result = prover.prove("note", inputs) { onText("${(100 * it.fraction).toInt()}% ${it.phase}") }
        "Proved in ${result.getInt("ms")} ms: ${result.getJSONArray("publicSignals")}"
    } catch (failure: PippinException) {
        listOfNotNull(failure.message, failure.hint).joinToString("\n")
    }

    override fun onStart() {
        super.onStart()
        prover.setVisible(true)
    }

    override fun onStop() {
        prover.setVisible(false)
        super.onStop()
    }

    override fun onTrimMemory(level: Int) {
        super.onTrimMemory(level)
        prover.trimMemory(level)
    }

    override fun onDestroy() {
        prover.stop()
        super.onDestroy()
    }
}
