<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>CloseQuestion</name>
    <message numerus="yes">
        <source>%n training(s) still running: {names}</source>
        <translation>
            <numerusform>仍有 %n 个训练在运行：{names}</numerusform>
        </translation>
    </message>
    <message>
        <source>An environment is being made.</source>
        <translation>正在创建环境。</translation>
    </message>
    <message>
        <source>Back to the window</source>
        <translation>返回窗口</translation>
    </message>
    <message>
        <source>End it and close</source>
        <translation>结束创建并关闭</translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>停止并关闭</translation>
    </message>
    <message>
        <source>The environment that is being made is ended, and what was made so far is removed.</source>
        <translation>正在创建的环境会被终止，已创建的内容会被移除。</translation>
    </message>
    <message>
        <source>They can go on without this window and are found again when it opens.</source>
        <translation>关闭窗口后训练可继续运行，下次打开时会自动找回。</translation>
    </message>
</context>
<context>
    <name>FindingWords</name>
    <message>
        <source>A test must decide</source>
        <translation>需要实测才能确定</translation>
    </message>
    <message>
        <source>Checked on {date}</source>
        <translation>核对于 {date}</translation>
    </message>
    <message>
        <source>Fails</source>
        <translation>无法运行</translation>
    </message>
    <message>
        <source>It works · good to know</source>
        <translation>可以使用 · 值得了解</translation>
    </message>
    <message>
        <source>Main cause</source>
        <translation>主要原因</translation>
    </message>
    <message>
        <source>Not installable</source>
        <translation>无法安装</translation>
    </message>
    <message>
        <source>Not proven</source>
        <translation>未验证</translation>
    </message>
    <message>
        <source>Not ready for TensorFlow</source>
        <translation>TensorFlow 未就绪</translation>
    </message>
    <message>
        <source>Not ready · main cause</source>
        <translation>未就绪 · 主要原因</translation>
    </message>
    <message>
        <source>Processor only</source>
        <translation>仅用处理器</translation>
    </message>
    <message>
        <source>Ready for TensorFlow</source>
        <translation>TensorFlow 已就绪</translation>
    </message>
    <message>
        <source>Ready, with a note</source>
        <translation>已就绪，但请留意</translation>
    </message>
    <message>
        <source>Should be ready for TensorFlow</source>
        <translation>TensorFlow 应可就绪</translation>
    </message>
    <message>
        <source>TensorFlow will use the processor only</source>
        <translation>TensorFlow 只会使用处理器</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>该怎么做</translation>
    </message>
    <message>
        <source>Where this comes from</source>
        <translation>依据来源</translation>
    </message>
    <message>
        <source>Works</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>Works, with a note</source>
        <translation>可用，有提示</translation>
    </message>
    <message>
        <source>certain</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>inferred</source>
        <translation>推断</translation>
    </message>
    <message>
        <source>unsure</source>
        <translation>不确定</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Open a recorded machine</source>
        <translation>打开已录制的机器</translation>
    </message>
    <message>
        <source>Open the output of a tool</source>
        <translation>打开工具输出</translation>
    </message>
</context>
<context>
    <name>Messages</name>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
</context>
<context>
    <name>MonitorExport</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Picture as PNG…</source>
        <translation>图片（PNG）…</translation>
    </message>
    <message>
        <source>Readings as CSV…</source>
        <translation>读数（CSV）…</translation>
    </message>
    <message>
        <source>Save the picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Save the readings</source>
        <translation>保存读数</translation>
    </message>
</context>
<context>
    <name>Pages</name>
    <message>
        <source>Compatibility</source>
        <translation>兼容性</translation>
    </message>
    <message>
        <source>Explain an error</source>
        <translation>解释错误</translation>
    </message>
    <message>
        <source>Make a working environment</source>
        <translation>创建可用环境</translation>
    </message>
    <message>
        <source>Monitor</source>
        <translation>监控</translation>
    </message>
    <message>
        <source>New script</source>
        <translation>新建脚本</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Ways on</source>
        <translation>解决途径</translation>
    </message>
</context>
<context>
    <name>ProofWords</name>
    <message>
        <source>A recorded machine cannot be proven from here.</source>
        <translation>无法在此验证录制的机器。</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Matrix product</source>
        <translation>矩阵乘法</translation>
    </message>
    <message>
        <source>No GPU took part</source>
        <translation>没有 GPU 参与</translation>
    </message>
    <message>
        <source>Not proven</source>
        <translation>未验证</translation>
    </message>
    <message>
        <source>Out of date</source>
        <translation>已过期</translation>
    </message>
    <message>
        <source>Peak memory, GPU {index}</source>
        <translation>显存峰值，GPU {index}</translation>
    </message>
    <message>
        <source>Prove it</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Prove it again</source>
        <translation>重新验证</translation>
    </message>
    <message>
        <source>Proven</source>
        <translation>已验证</translation>
    </message>
    <message>
        <source>Proven in part</source>
        <translation>部分已验证</translation>
    </message>
    <message>
        <source>Ran there</source>
        <translation>在此运行</translation>
    </message>
    <message>
        <source>TensorFlow is started in this Python, and a matrix product, a convolution and an XLA step are computed on each GPU. Takes about a minute.</source>
        <translation>将在该 Python 中启动 TensorFlow，并在每块 GPU 上计算矩阵乘法、卷积和一个 XLA 步骤，约需一分钟。</translation>
    </message>
    <message>
        <source>The last test is of another state of this machine: {result}.</source>
        <translation>上次测试时本机状态不同：{result}。</translation>
    </message>
    <message>
        <source>There is no Python to run the test in.</source>
        <translation>没有可用于测试的 Python。</translation>
    </message>
    <message>
        <source>XLA step</source>
        <translation>XLA 步骤</translation>
    </message>
    <message>
        <source>not loaded</source>
        <translation>未加载</translation>
    </message>
    <message>
        <source>{cards} sleeps to save the battery. The test wakes it.</source>
        <translation>{cards} 正在休眠以节省电量，测试会将其唤醒。</translation>
    </message>
    <message>
        <source>{title}. {text}</source>
        <translation>{title}。{text}</translation>
    </message>
</context>
<context>
    <name>Rail</name>
    <message>
        <source>Navigation</source>
        <translation>导航</translation>
    </message>
    <message>
        <source>needs attention</source>
        <translation>需要留意</translation>
    </message>
    <message>
        <source>something is wrong</source>
        <translation>存在问题</translation>
    </message>
</context>
<context>
    <name>SubPage</name>
    <message>
        <source>Back (Esc)</source>
        <translation>返回（Esc）</translation>
    </message>
    <message>
        <source>Back to {page}</source>
        <translation>返回“{page}”</translation>
    </message>
</context>
<context>
    <name>WindowFacts</name>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n 块 GPU</numerusform>
        </translation>
    </message>
    <message>
        <source>Asking the driver…</source>
        <translation>正在询问驱动…</translation>
    </message>
    <message>
        <source>Live · every {seconds} s</source>
        <translation>实时 · 每 {seconds} 秒采样</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查看…</translation>
    </message>
    <message>
        <source>No GPU</source>
        <translation>没有 GPU</translation>
    </message>
    <message>
        <source>No answer for {age}</source>
        <translation>{age}无应答</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Recorded {date}</source>
        <translation>录于 {date}</translation>
    </message>
    <message>
        <source>Scanned {time}</source>
        <translation>扫描于 {time}</translation>
    </message>
    <message>
        <source>{usable} of {total} usable</source>
        <translation>{total} 块中 {usable} 块可用</translation>
    </message>
</context>
</TS>
